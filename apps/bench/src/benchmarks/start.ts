import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Benchmark, Observation } from '../comparison.js';
import { openDecisionEngine } from '../fixtures/decision-engine.js';
import { median } from '../median.js';
import { ServerProcess } from '../servers/server-process.js';

const TIMES = 7;
const CLI = join(import.meta.dirname, '../../../cli/src/main.js');
const run = promisify(execFile);

/** How long a process takes until it is of use. */
export const start: Benchmark = {
  name: 'start',
  async open(folder) {
    const engine = await openDecisionEngine(folder);
    const { sessionId } = await engine.redial.createSession({ machineName: 'decision' });
    await engine.close();
    const command = (...args: string[]) => run(process.execPath, [CLI, '--data-dir', folder, ...args]);
    const listening = async () => {
      const settings = JSON.stringify({ REDIAL_DATA_DIR: folder });
      const server = await ServerProcess.start('./redial-server.js', settings);
      return () => server.stop();
    };
    return {
      comparisons: [],
      observe: async () => [
        await observed('start-help', 'redial --help', 250, () => command('--help')),
        await observed('start-inspect', 'redial inspect', 500, () => command('inspect', sessionId)),
        await observed('start-server', 'a server that listens', 1_000, listening),
      ],
      close: () => Promise.resolve(),
    };
  },
};

/** @param work what is measured; a function that it gives tidies up, and is not */
async function observed(
  name: string,
  what: string,
  atMost: number,
  work: () => Promise<unknown>,
): Promise<Observation> {
  const times: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    const begun = performance.now();
    const tidyUp = await work();
    times.push(performance.now() - begun);
    if (typeof tidyUp === 'function') await tidyUp();
  }
  return { name, value: median(times), atMost, unit: 'ms', observed: what };
}
