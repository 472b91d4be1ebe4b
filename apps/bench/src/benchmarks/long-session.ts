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
  const long = await sessionOf(engine, LONG);
  const short = await sessionOf(engine, SHORT);
  const ofLong: number[] = [];
  const ofShort: number[] = [];
  // In turn: other work of the machine affects both.
  for (let n = 0; n < PROPOSALS; n++) {
    ofShort.push(await proposal(engine, short));
    ofLong.push(await proposal(engine, long));
  }
  const [near, far] = [median(ofShort), median(ofLong)];
  const unit = 'ms';
  return [
    { name: `long-session-${SHORT}`, value: near, unit, observed: `a proposal after ${SHORT} rounds` },
    { name: `long-session-${LONG}`, value: far, unit, observed: `a proposal after ${LONG} rounds` },
    { name: 'long-session', value: far / near, atMost: 1.5, unit: 'times', observed: 'the one to the other' },
  ];
}

async function sessionOf(engine: DecisionEngine, rounds: number): Promise<string> {
  const { sessionId } = await engine.redial.createSession({ machineName: decisionMachine.machineName });
  await advance(engine, sessionId, rounds);
  return sessionId;
}

async function proposal(engine: DecisionEngine, sessionId: string): Promise<number> {
  const start = performance.now();
  await engine.redial.submitProposal({ sessionId, specialistId: 'clerk' });
  const took = performance.now() - start;
  await advance(engine, sessionId, 1);
  return took;
}

async function advance({ redial }: DecisionEngine, sessionId: string, rounds: number): Promise<void> {
  for (let n = 0; n < rounds; n++)
    await redial.executeTransition({ sessionId, transitionName: 'again', toState: 'open' });
}
