import { afterEach, describe, expect, it } from '@jest/globals';
import { askPerson, defineWorkflow, either, timer } from '#lib/workflow';
import {
  createTestEngine,
  expectIdentical,
  ModelExhausted,
  RepliesLeft,
  type Scripted,
  scriptedModel,
  type TestEngine,
} from '../../libs/engine/public/testing.js';
import { clerk, refunds } from '../support/refunds.js';

const approve = { toolCall: { name: 'approve', arguments: { amount: 12 } } };

const late = defineWorkflow('late', {
  input: { type: 'object' },
  versions: {
    1: function* () {
      yield* timer('PT1H');
      const answer = yield* either({
        ask: askPerson<string>({ title: 'Buy?', schema: { type: 'string' } }),
        late: timer('PT48H'),
      });
      return 'late' in answer ? 'late' : answer.ask.payload;
    },
  },
});

describe('createTestEngine', () => {
  let engine: TestEngine;
  afterEach(() => engine.close());

  async function refund(...replies: readonly Scripted[]): Promise<string> {
    engine = await createTestEngine({ model: scriptedModel(replies), workflows: [late] });
    await engine.redial.defineMachine(refunds);
    await engine.redial.registerSpecialist({ ...clerk, role: 'proposer' });
    const session = await engine.redial.createSession({
      machineName: 'refunds',
      metaJson: { text: 'Broken cup' },
    });
    return session.sessionId;
  }
  const ask = (sessionId: string) => engine.redial.submitProposal({ sessionId, specialistId: 'clerk' });

  it('answers with what its model is scripted to say, and has its requests', async () => {
    const sessionId = await refund(approve);
    expect(await ask(sessionId)).toMatchObject({ transitionName: 'approve' });
    expect(JSON.stringify(engine.model.requests[0]?.body)).toContain('Broken cup');
    engine.model.assertDone();
    expectIdentical(await engine.redial.replaySession({ sessionId }));
  });

  it('is closed where `await using` leaves it, and a second time changes nothing', async () => {
    const sessionId = await refund();
    await engine[Symbol.asyncDispose]();
    await engine.close();
    await expect(engine.redial.getSession({ sessionId })).rejects.toThrow('[StoreUnavailable]');
  });

  it('rejects what asks the model once more than it has replies, and says so at idle and assertDone', async () => {
    const sessionId = await refund();
    await expect(ask(sessionId)).rejects.toThrow('[ModelExhausted]');
    await expect(engine.idle()).rejects.toThrow(ModelExhausted);
    expect(() => engine.model.assertDone()).toThrow(ModelExhausted);
  });

  it.each([
    ['refuses', 'stop', { refusal: 'No' }, 'The model refused: No'],
    ['is cut at its limit', 'length', { content: 'I approve' }, 'Failed to parse'],
    ['is filtered', 'content_filter', { content: '' }, 'filter'],
  ])('has no proposal of a model that %s', async (_, finish_reason, said, why) => {
    const choices = [{ index: 0, finish_reason, message: { role: 'assistant', content: null, ...said } }];
    const reply = { status: 200, body: { choices } };
    const sessionId = await refund(reply, reply);
    await expect(ask(sessionId)).rejects.toThrow(why);
  });

  it('names replies that no request took', async () => {
    await refund(approve);
    expect(() => engine.model.assertDone()).toThrow(RepliesLeft);
  });

  it('waits between attempts by the clock of the test', async () => {
    const sessionId = await refund(
      { status: 500, body: { error: { message: 'busy' } } },
      { error: 'network' },
      approve,
    );
    const asked = ask(sessionId);
    await engine.idle();
    expect(engine.model.requests).toHaveLength(1);
    await engine.clock.advance('PT5M');
    expect(await asked).toMatchObject({ transitionName: 'approve' });
  });

  it('moves at idle to replies that are held back, and to those alone', async () => {
    const sessionId = await refund({ delayMs: 90_000, reply: approve });
    const { runId } = await engine.redial.startRun({ workflow: 'late', input: {} });
    const before = engine.clock.now().getTime();
    const asked = ask(sessionId);
    await engine.idle();
    expect(engine.clock.now().getTime() - before).toBe(90_000);
    expect(await asked).toMatchObject({ transitionName: 'approve' });
    expect(await engine.redial.getRun({ runId })).toMatchObject({ status: 'running' });
  });

  it('lets replies come that are held back to the same moment', async () => {
    const heldBack = { delayMs: 90_000, reply: approve };
    const first = await refund(heldBack, heldBack);
    const { sessionId: second } = await engine.redial.createSession({ machineName: 'refunds' });
    const asked = [ask(first), ask(second)];
    await engine.idle();
    expect(await Promise.all(asked)).toMatchObject([
      { transitionName: 'approve' },
      { transitionName: 'approve' },
    ]);
  });

  it('fires every timer in order, each at its due time', async () => {
    await refund();
    const { runId } = await engine.redial.startRun({ workflow: 'late', input: {} });
    await engine.idle();
    const began = engine.clock.now().getTime();
    await engine.clock.advance('PT49H');
    expect(await engine.redial.getRun({ runId })).toMatchObject({ status: 'completed', result: 'late' });
    const fired = (await engine.redial.listRunEvents({ runId })).items.filter(
      ({ type }) => type === 'TimerFired',
    );
    const hours = fired.map(({ occurredAt }) => (Date.parse(occurredAt) - began) / 3_600_000);
    expect(hours).toEqual([1, 49]);
    expectIdentical(await engine.redial.replayRun({ runId }));
  });
});
