import { beforeAll, expect, it } from '@jest/globals';
import type { RedialOptions } from '#lib/engine';
import type { StoredEvent } from '#lib/event-store';
import { startEngine } from '../support/engine.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { placeWith } from '../support/places/place-with.js';
import { untilEvent } from '../support/until-event.js';

const machine = {
  machineName: 'gate',
  initialState: 'closed',
  goalState: 'open',
  states: { closed: { transitions: { push: 'open' } }, open: {} },
};
const CLOSINGS = ['ConsensusReached', 'ConsensusNotReached', 'VerdictSetAside', 'ArbitrationFailed'];

/** The log as a process that died after some event would have left it. */
describeOnEachEngine('an arbitration that was cut off', (emptyPlace) => {
  let whole: readonly StoredEvent[];
  let prefix: string;
  let sessionId: string;
  let calls = 0;

  const arbiters: RedialOptions['arbiters'] = {
    majority: ({ proposals: [first] }) => {
      calls += 1;
      return first
        ? { consensusReached: true, winningProposalId: first.proposalId }
        : { consensusReached: false };
    },
  };

  beforeAll(async () => {
    const engine = await startEngine([], { ...(await emptyPlace()), arbiters });
    const { redial, log } = engine;
    await redial.defineMachine(machine);
    const base = { machineName: 'gate' };
    await redial.registerProposer({ ...base, specialistId: 'doorman', strategyFnName: 'firstAvailable' });
    await redial.registerArbiter({ ...base, specialistId: 'judge', strategyFnName: 'majority' });
    ({ sessionId } = await redial.createSession(base));
    await redial.submitProposal({ sessionId, specialistId: 'doorman' });
    await redial.submitArbitration({ sessionId });
    const isOfLog = ({ stream }: StoredEvent) => log.streams.parse(stream)?.category === 'log';
    whole = (await log.store.readAll({ limit: 100 })).filter((event) => !isOfLog(event));
    ({ prefix } = log.streams);
    await engine.stop();
  });

  async function recoverAfter(type: string) {
    const asked = whole.findIndex((event) => event.type === 'ArbitrationRequested');
    const cut = whole.findIndex((event, index) => index >= asked && event.type === type) + 1;
    const place = await placeWith(await emptyPlace(true), whole.slice(0, cut), prefix);
    calls = 0;
    const engine = await startEngine([], { ...place, arbiters, recoveryIntervalMs: 50 });
    try {
      const closing = await untilEvent(engine.log, (event) => CLOSINGS.includes(event.type));
      const { identical } = await engine.redial.replaySession({ sessionId });
      return { closing: closing.type, calls, identical };
    } finally {
      await engine.stop();
    }
  }

  it.each([
    ['ArbitrationRequested', 'ConsensusReached', 1],
    ['WorkflowStarted', 'ConsensusReached', 1],
    ['FunctionCallRequested', 'ConsensusReached', 1],
    ['FunctionCallCompleted', 'ConsensusReached', 0],
    ['WorkflowEnded', 'ConsensusReached', 0],
  ])('is finished after a cut behind %s: %s, with %i calls of the arbiter', async (type, closing, count) => {
    expect(await recoverAfter(type)).toEqual({ closing, calls: count, identical: true });
  });
});
