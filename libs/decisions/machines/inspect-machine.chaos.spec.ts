import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { inspectMachine } from './inspect-machine.js';
import { hostileDefinitions } from './testing/hostile-definitions.js';

/** Less than 50 ms in plain Node on an idle machine (`npm run bench -- compile`); Jest and a busy machine take longer. */
const MOST_MS = 150;
/** The processor time of a try includes the garbage collector and the compiler, so one try below the bound is enough. */
const TRIES = 10;

it('X-S3: no definition that the server reads takes long to inspect, or gets an answer of more than 100,000 characters', async () => {
  for (const { name, text } of hostileDefinitions()) {
    let ms = Infinity;
    for (let tries = 0; ms >= MOST_MS && tries < TRIES; tries += 1) {
      await setImmediate();
      ms = inspecting(JSON.parse(text));
    }
    expect([name, ms < MOST_MS]).toEqual([name, true]);
  }
});

/** The processor time of an inspection, in ms. */
function inspecting(definition: unknown): number {
  const start = process.cpuUsage();
  const answer = inspectMachine(definition);
  const { user, system } = process.cpuUsage(start);
  expect(JSON.stringify(answer).length).toBeLessThan(100_000);
  return (user + system) / 1000;
}
