import { expect, it } from '@jest/globals';
import { inspectMachine } from './inspect-machine.js';
import { hostileDefinitions } from './testing/index.js';

/** Less than 50 ms in plain Node on an idle machine (`npm run bench -- compile`); the contexts of Jest and a busy machine take longer. */
const MOST_MS = 150;

it('X-S3: no definition that the server reads takes long to inspect', () => {
  for (const { name, text } of hostileDefinitions()) {
    const times = Array.from({ length: 3 }, () => inspecting(JSON.parse(text)));
    expect([name, Math.min(...times) < MOST_MS]).toEqual([name, true]);
  }
});

/** Milliseconds of processor time. */
function inspecting(definition: unknown): number {
  const start = process.cpuUsage();
  inspectMachine(definition);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
