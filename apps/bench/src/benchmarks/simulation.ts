import type { Redial } from '#lib/engine';
import type { Benchmark } from '../comparison.js';
import { openCycleEngine } from '../fixtures/cycle-engine.js';
import { arbitratedTimes, roundsMachine } from '../fixtures/decided-rounds.js';
import { fillLog } from '../fixtures/fill-log.js';

const SESSIONS = 10_000;
const ROUNDS_OF_SESSION = 10;
const ROUNDS = SESSIONS * ROUNDS_OF_SESSION;
const LONGEST_MS = 600_000;
const { machineName } = roundsMachine;

/** Recorded rounds under another threshold, beside a reading of the same rounds from the rows. */
export const simulation: Benchmark = {
  name: 'simulation',
  onlyByName: true,
  async open(folder) {
    await fillLog(folder, SESSIONS, arbitratedTimes(ROUNDS_OF_SESSION));
    const engine = await openCycleEngine(folder);
    const { redial, projections } = engine;
    await redial.defineMachine(roundsMachine);
    await projections.caughtUpWithHead(LONGEST_MS);
    return {
      comparisons: [
        {
          name: 'simulation',
          compared: `simulation of ${ROUNDS.toLocaleString('en-US')} rounds / all pages of the log of decisions`,
          unit: 'rounds',
          goal: 1 / 4,
          unitsPerCall: ROUNDS,
          blocks: 3,
          callsPerBlock: 1,
          ours: () => simulated(redial),
          bare: () => read(redial),
        },
      ],
      close: () => engine.close(),
    };
  },
};

async function simulated(redial: Redial): Promise<void> {
  let rounds = 0;
  let cursor: string | null = null;
  do {
    const page = await redial.simulateMachine({
      machineName,
      consensusThreshold: 0.9,
      limit: ROUNDS,
      ...at(cursor),
    });
    rounds += page.rounds;
    cursor = page.nextCursor;
  } while (cursor !== null);
  check(rounds);
}

async function read(redial: Redial): Promise<void> {
  let rounds = 0;
  let cursor: string | null = null;
  do {
    const page = await redial.getDecisionLog({ machineName, limit: 500, ...at(cursor) });
    rounds += page.items.length;
    cursor = page.nextCursor;
  } while (cursor !== null);
  check(rounds);
}

function at(cursor: string | null): { readonly cursor?: string } {
  return cursor === null ? {} : { cursor };
}

function check(rounds: number): void {
  if (rounds !== ROUNDS) throw new Error(`${rounds} rounds in place of ${ROUNDS}.`);
}
