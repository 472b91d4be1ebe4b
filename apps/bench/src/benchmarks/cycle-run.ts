import type { Benchmark, Comparison } from '../comparison.js';
import { bareSession } from '../fixtures/bare-cycle.js';
import { openCycleEngine } from '../fixtures/cycle-engine.js';
import { CYCLE_ROUNDS } from '../fixtures/cycle-machine.js';

const SESSIONS = 40;

/** Whole sessions, begun at the same time and run to their goal. */
export const cycleRun: Benchmark = {
  name: 'cycle-run',
  group: 'cycle',
  async open(folder) {
    const engine = await openCycleEngine(folder);
    const run = async () => {
      const { status } = await engine.redial.runSession({ machineName: 'cycle' });
      if (status !== 'done') throw new Error(`A session has ended as ${status}.`);
    };
    const sessions: Comparison = {
      name: 'cycle-sessions',
      compared: `${SESSIONS} sessions of ${CYCLE_ROUNDS} rounds at the same time, two proposers that answer at once and a built-in arbiter / the same functions, only called`,
      unit: 'sessions',
      unitsPerCall: SESSIONS,
      blocks: 12,
      callsPerBlock: 1,
      async ours() {
        await Promise.all(Array.from({ length: SESSIONS }, run));
      },
      async bare() {
        for (let session = 0; session < SESSIONS; session++) bareSession();
      },
    };
    const decisions: Comparison = {
      ...sessions,
      name: 'cycle-decisions',
      compared: 'the same once more, counted in rounds decided',
      unit: 'decisions',
      unitsPerCall: SESSIONS * CYCLE_ROUNDS,
    };
    return { comparisons: [sessions, decisions], close: () => engine.close() };
  },
};
