import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark, Observation } from '../comparison.js';
import { openDecisionEngine } from '../fixtures/decision-engine.js';
import { OpenSessions } from '../fixtures/decision-machine.js';

const DECISIONS = 200;
const LONGEST_MS = 60_000;

/** The bytes of a decision on the disk. */
export const bytesOfDecision: Benchmark = {
  name: 'bytes-decision',
  group: 'bytes',
  async open(folder) {
    return { comparisons: [], observe: () => observe(folder), close: () => Promise.resolve() };
  },
};

/** Sizes are those of closed files: everything is in them. */
async function observe(folder: string): Promise<readonly Observation[]> {
  const open = new OpenSessions();
  await inEngine(folder, ({ redial }) => open.make(redial, DECISIONS));
  const before = sizesIn(folder);
  await inEngine(folder, async ({ redial }) => {
    for (let n = 0; n < DECISIONS; n++)
      await redial.submitProposal({ sessionId: open.take(), specialistId: 'clerk' });
  });
  const after = sizesIn(folder);
  const grown = (name: string) => (size(after, name) - size(before, name)) / DECISIONS / 1000;
  const [log, rows] = [grown('log.sqlite'), grown('read.sqlite')];
  const unit = 'kB';
  return [
    { name: 'bytes-decision-log', value: log, unit, observed: 'in the log, a proposal of a model' },
    { name: 'bytes-decision-rows', value: rows, unit, observed: 'in the rows, the same' },
    { name: 'bytes-decision', value: log + rows, atMost: 6, unit, observed: 'together' },
  ];
}

async function inEngine(
  folder: string,
  work: (engine: Awaited<ReturnType<typeof openDecisionEngine>>) => Promise<void>,
): Promise<void> {
  const engine = await openDecisionEngine(folder);
  await work(engine);
  await engine.projections.caughtUpWithHead(LONGEST_MS);
  await engine.close();
}

function sizesIn(folder: string): ReadonlyMap<string, number> {
  return new Map(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size]));
}

function size(sizes: ReadonlyMap<string, number>, name: string): number {
  const found = sizes.get(name);
  if (found === undefined) throw new Error(`There is no file ${name}.`);
  return found;
}
