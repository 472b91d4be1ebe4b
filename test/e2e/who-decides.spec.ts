import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { httpError } from '#lib/activities/testing';
import type { Redial } from '#lib/engine';
import type { MachineInput } from '#lib/decisions/machines';
import { startEngine, type TestEngine } from '../support/engine.js';

const boss = { role: 'proposer', specialistId: 'boss', isHuman: true };
const clerk = { role: 'proposer', specialistId: 'clerk', strategyFnName: 'firstAvailable' };
const judge = { role: 'arbiter', specialistId: 'judge', strategyFnName: 'alignmentMargin' };

/** Each test has a machine of its own. */
let machineName: string;

/** Its goal has a way back. */
const ticket = (...specialists: readonly object[]) => ({
  machineName,
  initialState: 'open',
  goalState: 'closed',
  states: {
    open: { transitions: { close: 'closed', drop: 'dropped' } },
    closed: { transitions: { reopen: 'open' } },
    dropped: {},
  },
  specialists,
});

describe('who decides', () => {
  let engine: TestEngine;
  let redial: Redial;

  beforeAll(async () => {
    engine = await startEngine([]);
    redial = engine.redial;
  });
  afterAll(() => engine.stop());

  beforeEach(() => {
    machineName = `ticket-${randomUUID()}`;
  });

  const define = (machine: object) => redial.defineMachine(machine as MachineInput);
  const run = () => redial.runSession({ machineName });
  const decide = (sessionId: string, transitionName: string) =>
    redial.decide({ sessionId, specialistId: 'boss', transitionName });
  const isIdentical = async (sessionId: string) => (await redial.replaySession({ sessionId })).identical;

  it('X-T5, D-45: run decides a bare machine by the defaults, says so, and registers nobody', async () => {
    await define(ticket());
    const { sessionId, status, history } = await run();
    expect([status, history]).toMatchObject(['done', [{ transitionName: 'close', decidedBy: 'default' }]]);
    for (const id of ['default', `default-arbiter-${sessionId}`])
      await expect(redial.getSpecialist({ specialistId: id })).rejects.toThrow('UnknownSpecialist');
    const { items } = await redial.listProposals({ sessionId });
    expect(items).toMatchObject([{ specialistId: 'default', status: 'won' }]);
    expect(await isIdentical(sessionId)).toBe(true);
  });

  it('run leaves a machine without specialists to the people that it names', async () => {
    for (const people of [{ groups: ['desk'] }, { people: ['ann'] }]) {
      await define({ ...ticket(), people });
      const { sessionId, status, history } = await run();
      expect([status, history]).toEqual(['needs_human', []]);
      const { items } = await redial.listTasks({ sessionId });
      expect(items).toMatchObject([{ candidates: people, reason: 'no-proposals' }]);
      expect(await isIdentical(sessionId)).toBe(true);
    }
  });

  it('X-T5: no specialist can take the place of a default, of an operator or of time', async () => {
    await define(ticket());
    for (const specialistId of ['default', 'operator', 'timer']) {
      const registered = redial.registerProposer({
        specialistId,
        machineName,
        strategyFnName: 'random',
      });
      await expect(registered).rejects.toMatchObject({
        rejection: { code: 'invalid-specialist', message: expect.stringContaining('its id is reserved') },
      });
    }
  });

  it('X-T4: trust of an arbiter holds when neither machine nor state say otherwise, and is shown with it', async () => {
    const trust = { minComparisons: 1 };
    await define(ticket(clerk, boss, { ...judge, trust }));
    expect(await redial.getSpecialist({ specialistId: 'judge', machineName })).toMatchObject({
      trust,
    });
    const untrusted = await run();
    expect(untrusted.status).toBe('needs_human');
    await decide(untrusted.sessionId, 'close');
    expect(await run()).toMatchObject({ status: 'done', history: [{ decidedBy: 'judge' }] });
  });

  it('X-T4: after one comparison a proposer still decides nothing, until it has as many as trust asks for', async () => {
    const trust = { minComparisons: 2, minAlignment: 0.1 };
    await define({ ...ticket(clerk, boss, judge), trust });
    for (const comparisons of [0, 1]) {
      const { sessionId, status } = await run();
      expect([comparisons, status]).toEqual([comparisons, 'needs_human']);
      const reasoning = 'no proposer is trusted yet';
      expect(await redial.evaluateConsensus({ sessionId })).toMatchObject({
        consensusReached: false,
        reasoning,
      });
      expect(await decide(sessionId, 'close')).toMatchObject({ executed: true, decidedBy: 'boss' });
      expect(await isIdentical(sessionId)).toBe(true);
    }
    const alone = await run();
    expect(alone).toMatchObject({ status: 'done', history: [{ decidedBy: 'judge' }] });
    const { items } = await redial.listSessionEvents({ sessionId: alone.sessionId });
    const consensus = items.find(({ type }) => type === 'ConsensusReached');
    expect(consensus?.data).toMatchObject({
      trust,
      quorum: 1,
      alignment: { scores: [{ comparisons: 2 }, {}] },
    });
    expect(await isIdentical(alone.sessionId)).toBe(true);
  });

  it('X-T7: decide throws when a decision is refused, and says why', async () => {
    await define(ticket(clerk, boss, judge));
    const { sessionId, currentRoundId: roundId } = await redial.createSession({ machineName });
    const asClerk = { sessionId, specialistId: 'clerk', transitionName: 'close' };
    await expect(redial.decide(asClerk)).rejects.toThrow('Only human specialists can force arbitration');
    await expect(decide(sessionId, 'vanish')).rejects.toMatchObject({
      rejection: { code: 'unknown-transition' },
    });
    expect(await decide(sessionId, 'close')).toMatchObject({ executed: true, isHuman: true });
    const late = redial.decide({ sessionId, specialistId: 'boss', transitionName: 'drop', roundId });
    await expect(late).rejects.toMatchObject({ rejection: { rejected: 'conflict', code: 'not-decided' } });
  });

  it('X-D6: a person and an operator leave the goal; a tick and run leave it alone', async () => {
    await define(ticket(clerk, boss, judge));
    const { sessionId } = await run();
    expect(await redial.tickSession({ sessionId })).toBeNull();
    expect(await redial.runSession({ sessionId })).toMatchObject({ status: 'done', currentState: 'closed' });
    expect(await decide(sessionId, 'reopen')).toMatchObject({ executed: true });
    expect(await redial.runSession({ sessionId })).toMatchObject({ status: 'done', currentState: 'closed' });
    const reopen = { sessionId, transitionName: 'reopen', toState: 'open' };
    const reopened = await redial.executeTransition(reopen);
    expect([reopened.status, reopened.history.at(-1)]).toMatchObject(['open', { decidedBy: 'operator' }]);
    await decide(sessionId, 'drop');
    await expect(decide(sessionId, 'reopen')).rejects.toThrow('Invalid transition "reopen"');
    expect(await isIdentical(sessionId)).toBe(true);
  });

  it('X-D10: a tick says failed, with the kind, when the proposer that was asked gave no proposal', async () => {
    const model = { role: 'proposer', specialistId: 'model', contextTemplate: 'x', modelId: 'gpt-4o-mini' };
    const before = engine.llm.requests.length;
    engine.llm.enqueue(httpError(503, 'down'));
    await define(ticket(model, judge));
    const { sessionId, currentRoundId } = await redial.createSession({ machineName });
    const failed = { status: 'failed', specialistId: 'model', failure: { kind: 'http-error' } };
    expect(await redial.tickSession({ sessionId }, { idempotencyKey: 'once' })).toMatchObject(failed);
    expect(await redial.tickSession({ sessionId }, { idempotencyKey: 'once' })).toMatchObject(failed);
    expect(await redial.tickSession({ sessionId })).toMatchObject({ status: 'needs_human' });
    await redial.executeTransition({ sessionId, transitionName: 'close', toState: 'closed' });
    const past = redial.submitProposal({ sessionId, specialistId: 'model', roundId: currentRoundId });
    await expect(past).rejects.toMatchObject({ rejection: { code: 'round-over' } });
    expect(engine.llm.requests).toHaveLength(before + 1);
  });

  it('X-D10: metrics, decisions, alignment and exemplars do not know a machine that was neither defined nor run', async () => {
    await define(ticket());
    const questions = (name: string) => [
      redial.getCollapseMetrics({ machineName: name }),
      redial.getDecisionLog({ machineName: name }),
      redial.getAlignment({ machineName: name }),
      redial.listExemplars({ machineName: name }),
    ];
    await Promise.all(questions(machineName));
    await redial.createSession({ machine: { ...ticket(), machineName: 'inline' } as MachineInput });
    await Promise.all(questions('inline'));
    for (const question of questions('nobody'))
      await expect(question).rejects.toMatchObject({
        rejection: { rejected: 'unknown', code: 'unknown-machine' },
      });
  });
});
