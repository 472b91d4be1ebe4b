import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Benchmark, Observation } from '../comparison.js';
import { atRest, fillLog } from '../fixtures/fill-log.js';
import { askProcess } from '../servers/ask-process.js';
import type { MemoryOfEngine } from '../servers/memory-of-engine.js';

const FEW = 1_000;
const MANY = 100_000;
const MIB = 1024 * 1024;

/** Whether the engine holds more in memory when the log is longer. */
export const cycleMemory: Benchmark = {
  name: 'cycle-memory',
  group: 'cycle',
  onlyByName: true,
  async open(folder) {
    return { comparisons: [], observe: () => observe(folder), close: async () => undefined };
  },
};

async function observe(folder: string): Promise<readonly Observation[]> {
  const few = await memoryWith(FEW, folder);
  const many = await memoryWith(MANY, folder);
  return [
    ...observations('heap', 'heap in use', few.heapUsed, many.heapUsed),
    ...observations('rss', 'resident memory, with what SQLite caches and maps', few.rss, many.rss),
  ];
}

/** The first process fills the read models and ends; the memory of the second one counts. */
async function memoryWith(sessions: number, folder: string): Promise<MemoryOfEngine> {
  const dataDir = join(folder, String(sessions));
  await mkdir(dataDir);
  await fillLog(dataDir, sessions, atRest);
  await askProcess<MemoryOfEngine>('./memory-of-engine.js', dataDir);
  return askProcess<MemoryOfEngine>('./memory-of-engine.js', dataDir);
}

function observations(name: string, what: string, few: number, many: number): readonly Observation[] {
  const after = (sessions: number) =>
    `${what} after 100 runs, with ${sessions.toLocaleString('en-US')} sessions in the log`;
  return [
    { name: `cycle-memory-${name}-few`, value: few / MIB, unit: 'MiB', observed: after(FEW) },
    { name: `cycle-memory-${name}-many`, value: many / MIB, unit: 'MiB', observed: after(MANY) },
    {
      name: `cycle-memory-${name}-ratio`,
      value: many / few,
      unit: 'times',
      observed: 'the second to the first',
    },
  ];
}
