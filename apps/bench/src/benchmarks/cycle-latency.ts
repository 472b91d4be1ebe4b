import type { Redial } from '#lib/engine';
import type { Benchmark, Observation } from '../comparison.js';
import { bareRound } from '../fixtures/bare-cycle.js';
import { openCycleEngine } from '../fixtures/cycle-engine.js';
import { CYCLE_ROUNDS } from '../fixtures/cycle-machine.js';
import { median } from '../median.js';
import { quantile } from '../quantile.js';

const WARM_UP_SESSIONS = 20;
const SESSIONS = 150;

/** The time of one decision without other work. */
export const cycleLatency: Benchmark = {
  name: 'cycle-latency',
  group: 'cycle',
  async open(folder) {
    const engine = await openCycleEngine(folder);
    return { comparisons: [], observe: () => observe(engine.redial), close: () => engine.close() };
  },
};

/** The times of single rounds, in milliseconds. */
interface Times {
  /** The step that asks the second proposer and has the arbiter decide. */
  readonly deciding: number;
  readonly round: number;
  readonly bare: number;
}

async function observe(redial: Redial): Promise<readonly Observation[]> {
  for (let session = 0; session < WARM_UP_SESSIONS; session++) await timesOfSession(redial);
  const times: Times[] = [];
  for (let session = 0; session < SESSIONS; session++) times.push(...(await timesOfSession(redial)));
  return [
    ...observations('cycle-decision', 'a step that asks a proposer and decides the round', times, 'deciding'),
    ...observations('cycle-round', 'a whole round: two steps, two proposers, one arbiter', times, 'round'),
    ...observations('cycle-round-bare', 'the same two functions and the arbiter, only called', times, 'bare'),
  ];
}

async function timesOfSession(redial: Redial): Promise<readonly Times[]> {
  const { sessionId } = await redial.createSession({ machineName: 'cycle' });
  const times: Times[] = [];
  for (let round = 0; round < CYCLE_ROUNDS; round++) {
    const asking = await timed(async () => (await redial.tickSession({ sessionId }))?.status, 'solicited');
    const deciding = await timed(async () => (await redial.tickSession({ sessionId }))?.status, 'advanced');
    times.push({ deciding, round: asking + deciding, bare: await timed(bareRound, 'forward') });
  }
  return times;
}

/** Fails at an unexpected result, whose time would be meaningless. */
async function timed<Result>(
  work: () => Result | Promise<Result>,
  expected: Awaited<Result>,
): Promise<number> {
  const start = performance.now();
  const result = await work();
  const milliseconds = performance.now() - start;
  if (result !== expected) throw new Error(`Expected ${String(expected)}, and it was ${String(result)}.`);
  return milliseconds;
}

function observations(
  name: string,
  what: string,
  times: readonly Times[],
  of: keyof Times,
): readonly Observation[] {
  const values = times.map((one) => one[of]);
  return [
    { name: `${name}-median`, value: median(values), unit: 'ms', observed: what },
    { name: `${name}-p99`, value: quantile(values, 0.99), unit: 'ms', observed: 'the same' },
  ];
}
