import { afterEach, describe, expect, it } from '@jest/globals';
import { completion, reply, type ScriptedReply, ScriptedWebhookServer } from '#lib/activities/testing';
import { Ticker } from '#lib/decisions/driving/core';
import { Redial } from '#lib/engine';
import { randomIds } from '#lib/kernel';
import { commandContext } from '#lib/operations';
import { RedialServer } from '../support/redial-server.js';

const states = { triage: { transitions: { deny: 'closed', approve: 'closed' } }, closed: {} };
const environment = { HELD_WEBHOOK_TOKEN: 'held-0123456789', REDIAL_WEBHOOK_PRIVATE_ADDRESSES: 'allow' };
const DENIES = { transitionName: 'deny', reasoning: 'No.' };
const UNDECIDED = { consensusReached: false, reasoning: 'Both.' };
const answers = (body: object) => reply({ body: JSON.stringify(body) });
const PEOPLE = [{ role: 'proposer', specialistId: 'ann', isHuman: true }];

describe('a fork that holds effects', () => {
  let server: RedialServer;
  let redial: Redial;
  let hook: ScriptedWebhookServer | undefined;

  async function begin(
    given: Parameters<typeof RedialServer.start>[0] & { hooks?: readonly ScriptedReply[] } = {},
  ) {
    const { hooks = [], ...started } = given;
    hook = await ScriptedWebhookServer.start(hooks);
    server = await RedialServer.start({ environment, ...started });
    redial = server.app.get(Redial);
  }
  afterEach(async () => {
    await server.stop();
    await hook?.close();
    hook = undefined;
  });

  const webhook = () => ({ strategyWebhookUrl: hook?.url ?? '', webhookTokenName: 'HELD_WEBHOOK_TOKEN' });
  async function forkOf(specialists: readonly object[], effects?: 'allow'): Promise<string> {
    const machine = { machineName: 'held', initialState: 'triage', goalState: 'closed', states, specialists };
    const { status, body } = await server.post('/v1/machines', machine);
    expect([status, body]).toMatchObject([201, {}]);
    const { sessionId } = await redial.createSession({ machineName: 'held' });
    const fork = await redial.forkSession({ sessionId, atRevision: 0, ...(effects && { effects }) });
    return fork.sessionId;
  }
  async function held(sessionId: string) {
    const { items } = await redial.listTasks({ sessionId, status: 'open' });
    const [task] = items;
    if (items.length !== 1 || !task) throw new Error(JSON.stringify(items));
    expect(task).toMatchObject({ kind: 'approval', isFork: true, about: { sessionId } });
    return task;
  }
  async function answer(sessionId: string, choice: 'approve' | 'reject'): Promise<string> {
    const { taskId, digest, title } = await held(sessionId);
    await redial.answerTask({ taskId, digest, choice });
    return title;
  }
  async function replays(sessionId: string): Promise<void> {
    expect(await redial.replaySession({ sessionId })).toMatchObject({ identical: true, divergences: [] });
  }

  it('needs a person until a webhook that proposes is approved, and asks it then', async () => {
    await begin({ hooks: [answers(DENIES)] });
    const sessionId = await forkOf([{ role: 'proposer', specialistId: 'remote', ...webhook() }]);
    const key = { idempotencyKey: 'one run' };
    const run = await redial.runSession({ sessionId }, key);
    expect(run).toMatchObject({ status: 'needs_human', currentState: 'triage' });
    expect(await redial.getSession({ sessionId })).toMatchObject({ status: 'needs_human' });
    expect(hook?.requests).toEqual([]);
    expect(await answer(sessionId, 'approve')).toContain('Approve webhook http://127.0.0.1');
    expect(await redial.runSession({ sessionId }, key)).toEqual(run);
    expect(await redial.runSession({ sessionId })).toMatchObject({ status: 'done' });
    expect(hook?.requests).toHaveLength(1);
    await replays(sessionId);
  });

  it('has no proposal of a webhook that is refused, and is never asked about it again', async () => {
    await begin();
    const sessionId = await forkOf([{ role: 'proposer', specialistId: 'remote', ...webhook() }]);
    await redial.runSession({ sessionId });
    await answer(sessionId, 'reject');
    expect(await redial.runSession({ sessionId })).toMatchObject({
      status: 'needs_human',
      currentState: 'triage',
    });
    const { items } = await redial.listSessionEvents({ sessionId, limit: 500 });
    expect(items.filter(({ type }) => type === 'ProposalFailed')).toMatchObject([
      { data: { failure: { kind: 'function', message: expect.stringContaining('was not approved') } } },
    ]);
    expect(hook?.requests).toEqual([]);
    await replays(sessionId);
  });

  it.each(['function', 'webhook'] as const)(
    'asks an arbiter that is a %s once it is approved',
    async (kind) => {
      const asked: string[] = [];
      const judge = () => {
        asked.push('judge');
        return UNDECIDED;
      };
      await begin({
        options: { arbiters: { judge } },
        hooks: kind === 'webhook' ? [answers(UNDECIDED)] : [],
      });
      const how = kind === 'webhook' ? webhook() : { strategyFnName: 'judge' };
      const sessionId = await forkOf([...PEOPLE, { role: 'arbiter', specialistId: 'judge', ...how }]);
      const calls = () => asked.length + (hook?.requests.length ?? 0);
      await redial.submitProposal({ sessionId, specialistId: 'ann', transitionName: 'deny' });
      const key = { idempotencyKey: 'one tick' };
      const tick = await redial.tickSession({ sessionId }, key);
      expect(tick).toMatchObject({ status: 'needs_human', currentState: 'triage' });
      expect(await redial.tickSession({ sessionId }, key)).toEqual(tick);
      await expect(redial.submitArbitration({ sessionId, specialistId: 'judge' })).rejects.toMatchObject({
        rejection: { code: 'arbitration-open' },
      });
      expect(calls()).toBe(0);
      expect(await answer(sessionId, 'approve')).toContain(`Approve ${kind}`);
      await redial.runSession({ sessionId });
      expect(calls()).toBe(1);
      expect(await redial.getSession({ sessionId })).toMatchObject({ currentState: 'triage' });
      await replays(sessionId);
    },
  );

  it('answers an arbitration that waits for an approval with 409 and what it wrote, and its repeat as well', async () => {
    await begin();
    const sessionId = await forkOf([...PEOPLE, { role: 'arbiter', specialistId: 'judge', ...webhook() }]);
    await redial.submitProposal({ sessionId, specialistId: 'ann', transitionName: 'deny' });
    const arbitrate = () =>
      server.post(`/v1/sessions/${sessionId}/arbitrations`, {}, { 'Idempotency-Key': 'one' });
    const first = await arbitrate();
    expect(first).toMatchObject({ status: 409, body: { code: 'waits-for-person' } });
    const { items } = await redial.listSessionEvents({ sessionId, limit: 500 });
    const requested = items.find(({ type }) => type === 'ArbitrationRequested');
    expect(first.headers['redial-position']).toBe(requested?.position);
    expect((await arbitrate()).body).toEqual(first.body);
    await answer(sessionId, 'reject');
    expect((await redial.getSession({ sessionId })).currentState).toBe('triage');
  });

  it('answers a repeat of a step that asked an arbiter as before, also where its answer was not recorded', async () => {
    await begin();
    const sessionId = await forkOf([...PEOPLE, { role: 'arbiter', specialistId: 'judge', ...webhook() }]);
    await redial.submitProposal({ sessionId, specialistId: 'ann', transitionName: 'deny' });
    const ticker = server.app.get(Ticker, { strict: false });
    const tick = async () => {
      const context = commandContext('a step', { idempotencyKey: 'one' }, randomIds);
      return (await ticker.tick(sessionId, context)).value;
    };
    const once = await tick();
    expect(once).toMatchObject({ status: 'needs_human' });
    expect(await tick()).toEqual(once);
  });

  it('has no verdict of an arbiter that is refused: people decide', async () => {
    await begin();
    const sessionId = await forkOf([...PEOPLE, { role: 'arbiter', specialistId: 'judge', ...webhook() }]);
    await redial.submitProposal({ sessionId, specialistId: 'ann', transitionName: 'deny' });
    await redial.runSession({ sessionId });
    await answer(sessionId, 'reject');
    expect(await redial.runSession({ sessionId })).toMatchObject({ status: 'needs_human' });
    expect(hook?.requests).toEqual([]);
    await redial.submitArbitration({ sessionId, specialistId: 'ann', transitionName: 'approve' });
    expect(await redial.getSession({ sessionId })).toMatchObject({ status: 'done' });
    await replays(sessionId);
  });

  it('asks before each call of a tool that changes something, not of one that reads, in runs that propose', async () => {
    const called: string[] = [];
    const functions = {
      find: () => called.push('find'),
      pay: () => called.push('pay'),
    };
    const call = (name: string) =>
      completion(
        { content: null, tool_calls: [{ id: name, type: 'function', function: { name, arguments: '{}' } }] },
        'tool_calls',
      );
    await begin({ options: { functions }, script: [call('find'), call('pay'), call('deny')] });
    for (const [toolId, policy] of [
      ['find', { readOnly: true }],
      ['pay', {}],
    ] as const)
      await server.post('/v1/tools', {
        toolId,
        description: toolId,
        parameters: { type: 'object' },
        execution: { fnName: toolId },
        policy,
      });
    const input = {
      systemPrompt: 'You help.',
      userPrompt: 'Decide.',
      model: 'gpt-4o-mini',
      tools: ['find', 'pay'],
    };
    const workflow = { name: 'planner', input };
    const sessionId = await forkOf([{ role: 'proposer', specialistId: 'clerk', workflow }]);
    await redial.runSession({ sessionId });
    expect(called).toEqual(['find']);
    expect(await answer(sessionId, 'approve')).toBe('Approve pay');
    expect(await redial.runSession({ sessionId })).toMatchObject({ status: 'done' });
    expect(called).toEqual(['find', 'pay']);
    await replays(sessionId);
  });

  it('asks nobody with `effects: "allow"`', async () => {
    await begin({ hooks: [answers(DENIES)] });
    const sessionId = await forkOf([{ role: 'proposer', specialistId: 'remote', ...webhook() }], 'allow');
    expect(await redial.runSession({ sessionId })).toMatchObject({ status: 'done' });
    expect(hook?.requests).toHaveLength(1);
  });
});
