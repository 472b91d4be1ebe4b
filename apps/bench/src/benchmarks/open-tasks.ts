import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Redial } from '#lib/engine';
import type { Benchmark, Comparison } from '../comparison.js';
import { type CycleEngine, openCycleEngine } from '../fixtures/cycle-engine.js';
import { fillLog, waiting } from '../fixtures/fill-log.js';

const FEW = 100;
const MANY = 100_000;
const LONGEST_MS = 600_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';
const PERSON = { actor: 'ann' };

const READS: { readonly [name: string]: (redial: Redial) => Promise<unknown> } = {
  page: (redial) => redial.listTasks({ limit: 50 }),
  overdue: (redial) => redial.listTasks({ overdue: 'true', limit: 50 }),
  mine: (redial) => redial.listTasks({ claimedBy: 'me', limit: 50 }, PERSON),
  claimed: (redial) => redial.listTasks({ status: 'claimed', limit: 50 }),
  claimable: (redial) => redial.listTasks({ candidate: 'me', limit: 50 }, PERSON),
  machine: (redial) => redial.listTasks({ machineName: 'queue', limit: 50 }),
  session: (redial) => redial.listTasks({ sessionId: NOBODY, sort: 'since' }),
  run: (redial) => redial.listTasks({ runId: NOBODY, sort: 'due' }),
  key: (redial) => redial.listTasks({ key: 'none', sort: 'priority' }),
  counts: (redial) => redial.countTasks({}, PERSON),
};

/** Reads of tasks while very many are open, beside the same reads while few are. */
export const openTasks: Benchmark = {
  name: 'open-tasks',
  onlyByName: true,
  async open(folder) {
    const [few, many] = [await opened(folder, FEW), await opened(folder, MANY)];
    return {
      comparisons: Object.keys(READS).map((name) => comparison(name, many.redial, few.redial)),
      close: async () => {
        await Promise.all([few.close(), many.close()]);
      },
    };
  },
};

/** An engine with so many open tasks, of which a person has claimed ten. */
async function opened(folder: string, tasks: number): Promise<CycleEngine> {
  const dataDir = join(folder, String(tasks));
  await mkdir(dataDir);
  await fillLog(dataDir, tasks, waiting);
  const engine = await openCycleEngine(dataDir);
  await engine.projections.caughtUpWithHead(LONGEST_MS);
  await engine.redial.registerPerson({ personId: 'ann', role: 'reviewer', groups: ['desk'] });
  const { items } = await engine.redial.listTasks({ limit: 10 });
  for (const { taskId } of items) await engine.redial.claimTask({ taskId, minutes: 1_440 }, PERSON);
  return engine;
}

function comparison(name: string, many: Redial, few: Redial): Comparison {
  const read = READS[name] as (redial: Redial) => Promise<unknown>;
  return {
    name: `open-tasks-${name}`,
    compared: `${name}, ${MANY.toLocaleString('en-US')} tasks open / ${FEW} open`,
    unit: 'reads',
    ...(name !== 'counts' && { goal: 0.5 }),
    unitsPerCall: 1,
    blocks: 15,
    callsPerBlock: 10,
    ours: async () => void (await read(many)),
    bare: async () => void (await read(few)),
  };
}
