import type { Redial } from '#lib/engine';
import type { Benchmark, Observation } from '../comparison.js';
import { decisionMachine } from '../fixtures/decision-machine.js';
import { storedBytes } from '../fixtures/stored-bytes.js';

const ROUNDS = 1_000;
const LATE = 5_000;
/** Enough that the initial pages of the tables do not affect the result. */
const ASKED = 400;

/** The bytes of a session on the disk, and whether its rounds grow with it. */
export const bytesOfSession: Benchmark = {
  name: 'bytes-session',
  group: 'bytes',
  onlyByName: true,
  async open(folder) {
    return { comparisons: [], observe: () => observe(folder), close: () => Promise.resolve() };
  },
};

async function observe(folder: string): Promise<readonly Observation[]> {
  let sessionId = '';
  await storedBytes(folder, async ({ redial }) => {
    const { machineName } = decisionMachine;
    ({ sessionId } = await redial.createSession({ machineName }));
  });
  const early = await bytesOf(folder, (redial) => ask(redial, sessionId));
  const whole = await bytesOf(folder, (redial) => advance(redial, sessionId, ROUNDS));
  await bytesOf(folder, (redial) => advance(redial, sessionId, LATE - ROUNDS - 2 * ASKED));
  const late = await bytesOf(folder, (redial) => ask(redial, sessionId));
  return [
    {
      name: 'bytes-session',
      value: whole / 1e6,
      atMost: 3,
      unit: 'MB',
      observed: `${ROUNDS} rounds of a session, without proposals`,
    },
    {
      name: 'bytes-session-late',
      value: late / early,
      atMost: 1.1,
      unit: 'times',
      observed: `a round with a proposal of a model after ${LATE - ASKED} rounds, to one of the first`,
    },
  ];
}

async function bytesOf(folder: string, work: (redial: Redial) => Promise<void>): Promise<number> {
  const { log, rows } = await storedBytes(folder, ({ redial }) => work(redial));
  return log + rows;
}

async function ask(redial: Redial, sessionId: string): Promise<void> {
  for (let n = 0; n < ASKED; n++) {
    await redial.submitProposal({ sessionId, specialistId: 'clerk' });
    await advance(redial, sessionId, 1);
  }
}

async function advance(redial: Redial, sessionId: string, rounds: number): Promise<void> {
  for (let n = 0; n < rounds; n++)
    await redial.executeTransition({ sessionId, transitionName: 'again', toState: 'open' });
}
