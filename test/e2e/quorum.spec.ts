import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { httpError, toolCall } from '#lib/activities/testing';
import type { Redial } from '#lib/engine';
import { startEngine, type TestEngine } from '../support/engine.js';

const judge = { role: 'arbiter', specialistId: 'judge', strategyFnName: 'alignmentMargin' };
const boss = { role: 'proposer', specialistId: 'boss', isHuman: true };
const model = (specialistId: string) => ({
  role: 'proposer',
  specialistId,
  contextTemplate: 'x',
  modelId: specialistId,
});

/** Each test has a machine of its own. */
let machineName: string;

const payout = (over: object = {}) => ({
  machineName,
  initialState: 'asked',
  goalState: 'done',
  states: { asked: { transitions: { pay: { target: 'done', description: 'Pay' } } }, done: {} },
  specialists: [model('sound'), model('broken'), boss, judge],
  consensusThreshold: 1,
  ...over,
});

describe('X-T1: a proposer that failed', () => {
  let engine: TestEngine;
  let redial: Redial;

  beforeAll(async () => {
    engine = await startEngine(({ body }) =>
      body['model'] === 'broken' ? httpError(503, 'down') : toolCall('pay', {}),
    );
    redial = engine.redial;
  });
  afterAll(() => engine.stop());

  beforeEach(() => {
    machineName = `payout-${randomUUID()}`;
  });

  it('does not lower the bar: the lone proposal of the other one is not executed by run', async () => {
    await redial.defineMachine(payout());
    const session = await redial.runSession({ machineName });
    expect(session).toMatchObject({ status: 'needs_human', currentState: 'asked', history: [] });
    const { sessionId } = session;
    const why = 'the round has 1 of the 2 proposals that a decision needs';
    const { items } = await redial.getInbox();
    const waiting = items.filter((item) => 'sessionId' in item && item.sessionId === sessionId);
    expect(waiting).toMatchObject([{ reason: 'no-quorum', detail: why }]);
    expect(await redial.evaluateConsensus({ sessionId })).toMatchObject({
      quorum: { needed: 2, present: 1 },
    });
    expect(await redial.tickSession({ sessionId })).toMatchObject({ status: 'needs_human', reasoning: why });
    expect(await redial.replaySession({ sessionId })).toMatchObject({ identical: true });
  });

  it('is outvoted when a person proposes too, and recorded with the quorum that held', async () => {
    await redial.defineMachine(payout());
    const { sessionId } = await redial.runSession({ machineName });
    await redial.submitProposal({ sessionId, specialistId: 'boss', transitionName: 'pay' });
    expect(await redial.tickSession({ sessionId })).toMatchObject({ status: 'advanced' });
    const { items } = await redial.listSessionEvents({ sessionId });
    const consensus = items.find(({ type }) => type === 'ConsensusReached');
    expect(consensus?.data).toMatchObject({ quorum: 2 });
    expect(await redial.replaySession({ sessionId })).toMatchObject({ identical: true });
  });

  it('counts also where it is disabled before the round is decided, and no more in the next round', async () => {
    await redial.defineMachine(payout());
    const { sessionId } = await redial.runSession({ machineName });
    await redial.disableSpecialist({ specialistId: 'broken', machineName });
    expect(await redial.tickSession({ sessionId })).toMatchObject({ status: 'needs_human' });
    expect(await redial.runSession({ machineName })).toMatchObject({ status: 'done' });
  });

  it('is no matter when a caller asks for the arbitration, unless the machine states a quorum', async () => {
    await redial.defineMachine(payout());
    const { sessionId } = await redial.runSession({ machineName });
    expect(await redial.submitArbitration({ sessionId })).toMatchObject({ executed: true });
    await redial.defineMachine(payout({ quorum: 2 }));
    const strict = await redial.runSession({ machineName });
    expect(await redial.submitArbitration({ sessionId: strict.sessionId })).toMatchObject({
      executed: false,
      guardsPass: false,
      guardReason: 'No quorum: the round has 1 of the 2 proposals that a decision needs',
    });
    expect(
      await redial.submitArbitration({
        sessionId: strict.sessionId,
        specialistId: 'boss',
        transitionName: 'pay',
      }),
    ).toMatchObject({ executed: true, isHuman: true });
  });

  it('is no matter when the machine states the quorum 1', async () => {
    await redial.defineMachine(payout({ quorum: 1 }));
    expect(await redial.runSession({ machineName })).toMatchObject({ status: 'done' });
  });
});
