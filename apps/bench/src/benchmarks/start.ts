import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NestFactory } from '@nestjs/core';
import { RedialModule } from '#lib/engine';
import type { Benchmark, Observation } from '../comparison.js';
import { openDecisionEngine } from '../fixtures/decision-engine.js';
import { median } from '../median.js';

const TIMES = 7;
/** The programs that the package ships. */
const BIN = join(import.meta.dirname, '../../../../bin');
const CLI = join(BIN, 'redial.js');
const run = promisify(execFile);

/** The time until a process can be used. */
export const start: Benchmark = {
  name: 'start',
  async open(folder) {
    const engine = await openDecisionEngine(folder);
    const { sessionId } = await engine.redial.createSession({ machineName: 'decision' });
    await engine.close();
    const command = (...args: string[]) => run(process.execPath, [CLI, '--data-dir', folder, ...args]);
    return {
      comparisons: [],
      observe: async () => [
        await observed(
          'start-memory',
          'an engine in memory, in a process that has loaded its code',
          100,
          startInMemory,
        ),
        await observed('start-help', 'redial --help', 250, () => command('--help')),
        await observed('start-inspect', 'redial inspect', 500, () => command('inspect', sessionId)),
        await observed('start-server', 'a server that listens', 1_000, () => startServer(folder)),
      ],
      close: () => Promise.resolve(),
    };
  },
};

/** Resolves once the engine takes calls. */
async function startInMemory(): Promise<() => Promise<void>> {
  const module = RedialModule.forRoot({ storage: 'memory' });
  const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
  return () => app.close();
}

/** Resolves once the server says that it listens. */
async function startServer(folder: string): Promise<() => Promise<unknown>> {
  const env = { ...process.env, PORT: '0', REDIAL_DATA_DIR: folder };
  const server = spawn(process.execPath, [join(BIN, 'server.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(server.stdout, 'data');
  return () => {
    server.kill();
    return once(server, 'exit');
  };
}

/** @param work is measured; it may return a function that tidies up, which is not measured */
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
