import type { Benchmark, Observation } from '../comparison.js';
import { OpenSessions } from '../fixtures/decision-machine.js';
import { storedBytes } from '../fixtures/stored-bytes.js';

const DECISIONS = 200;

/** The bytes of a decision on the disk. */
export const bytesOfDecision: Benchmark = {
  name: 'bytes-decision',
  group: 'bytes',
  async open(folder) {
    return { comparisons: [], observe: () => observe(folder), close: () => Promise.resolve() };
  },
};

async function observe(folder: string): Promise<readonly Observation[]> {
  const open = new OpenSessions();
  await storedBytes(folder, ({ redial }) => open.make(redial, DECISIONS));
  const grown = await storedBytes(folder, async ({ redial }) => {
    for (let n = 0; n < DECISIONS; n++)
      await redial.submitProposal({ sessionId: open.take(), specialistId: 'clerk' });
  });
  const [log, rows] = [grown.log / DECISIONS / 1000, grown.rows / DECISIONS / 1000];
  const unit = 'kB';
  return [
    { name: 'bytes-decision-log', value: log, unit, observed: 'in the log, a proposal of a model' },
    { name: 'bytes-decision-rows', value: rows, unit, observed: 'in the rows, the same' },
    { name: 'bytes-decision', value: log + rows, atMost: 5, unit, observed: 'together' },
  ];
}
