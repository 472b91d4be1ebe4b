import type { Benchmark, Observation } from '../comparison.js';
import { type DecisionEngine, openDecisionEngine } from '../fixtures/decision-engine.js';
import { decisionMachine } from '../fixtures/decision-machine.js';
import { median } from '../median.js';

const SHORT = 10;
const LONG = 5_000;
const PROPOSALS = 40;

/** Whether the next proposal takes longer in a session with many rounds. */
export const longSession: Benchmark = {
  name: 'long-session',
  onlyByName: true,
  async open(folder) {
    const engine = await openDecisionEngine(folder);
    return { comparisons: [], observe: () => observe(engine), close: () => engine.close() };
  },
};

async function observe(engine: DecisionEngine): Promise<readonly Observation[]> {
  const { machineName } = decisionMachine;
  const { sessionId } = await engine.redial.createSession({ machineName });
  await advance(engine, sessionId, SHORT);
  const short = median(await proposals(engine, sessionId));
  await advance(engine, sessionId, LONG - SHORT - PROPOSALS);
  const long = median(await proposals(engine, sessionId));
  const unit = 'ms';
  return [
    { name: `long-session-${SHORT}`, value: short, unit, observed: `a proposal after ${SHORT} rounds` },
    { name: `long-session-${LONG}`, value: long, unit, observed: `a proposal after ${LONG} rounds` },
    {
      name: 'long-session',
      value: long / short,
      atMost: 1.5,
      unit: 'times',
      observed: 'the one to the other',
    },
  ];
}

async function proposals(engine: DecisionEngine, sessionId: string): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < PROPOSALS; n++) {
    const start = performance.now();
    await engine.redial.submitProposal({ sessionId, specialistId: 'clerk' });
    times.push(performance.now() - start);
    await advance(engine, sessionId, 1);
  }
  return times;
}

async function advance({ redial }: DecisionEngine, sessionId: string, rounds: number): Promise<void> {
  for (let n = 0; n < rounds; n++)
    await redial.executeTransition({ sessionId, transitionName: 'again', toState: 'open' });
}
