import { expect, it } from '@jest/globals';
import { inspectMachine } from './inspect-machine.js';
import { hostileDefinitions } from './testing/hostile-definitions.js';

/** Less than 50 ms in plain Node on an idle machine (`npm run bench -- compile`); the contexts of Jest and a busy machine take longer. */
const MOST_MS = 150;

it('X-S3: no definition that the server reads takes long to inspect, or gets an answer of more than 100,000 characters', () => {
  for (const { name, text } of hostileDefinitions()) {
    const inspections = Array.from({ length: 3 }, () => inspecting(JSON.parse(text)));
    expect([name, Math.min(...inspections.map(({ ms }) => ms)) < MOST_MS]).toEqual([name, true]);
    expect(JSON.stringify(inspections[0]?.answer).length).toBeLessThan(100_000);
  }
});

/** The answer, and the milliseconds of processor time that it took. */
function inspecting(definition: unknown) {
  const start = process.cpuUsage();
  const answer = inspectMachine(definition);
  const { user, system } = process.cpuUsage(start);
  return { answer, ms: (user + system) / 1000 };
}
