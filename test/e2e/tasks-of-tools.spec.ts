import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '#lib/kernel';
import { callTool } from '#lib/runs/tools';
import { defineWorkflow } from '#lib/workflow';
import { PEOPLE, codes, type DeskTask, TaskDesk } from '../support/task-desk.js';

/** Calls the tool that its input names. */
const calling = defineWorkflow<{ tool: string; args: JsonObject }, unknown>('calling', {
  input: { type: 'object' },
  uses: ({ tool }) => ({ tools: [tool] }),
  versions: {
    1: function* ({ input }) {
      return yield* callTool(input.tool, input.args, { id: 'call' });
    },
  },
});
const approve = { choice: 'approve' };

describe('tasks of calls of tools', () => {
  let desk: TaskDesk;
  const called: Json[] = [];

  beforeAll(async () => {
    const refund = (input: Json) => {
      called.push(input);
      return { done: true };
    };
    desk = await TaskDesk.start({ workflows: [calling], functions: { refund } }, PEOPLE);
    const policies = {
      refund: true,
      shared: { groups: ['buyers'], approvals: 2 },
      own: { exclude: ['creator'] },
      large: { if: 'args.amount > 100', people: ['ann'], priority: 80 },
    };
    for (const [toolId, policy] of Object.entries(policies))
      expect((await desk.tool(toolId, policy)).status).toBe(201);
  });
  afterAll(() => desk.stop());

  /** A run that waits at its call of a tool. */
  async function waiting(toolId: string, args: object = { amount: 5 }, who?: string) {
    const runId = await desk.started('calling', { tool: toolId, args }, who);
    return { runId, task: await desk.taskOf(runId) };
  }

  it('an approval shows the tool, its arguments and why, and who may give it', async () => {
    const { runId, task } = await waiting('refund');
    expect(task).toMatchObject({
      kind: 'approval',
      status: 'open',
      version: 1,
      reason: 'needs-approval',
      about: {
        runId,
        workflow: 'calling',
        awaitId: expect.any(String),
        signal: 'approval',
        toolId: 'refund',
      },
      arguments: { amount: 5 },
      choices: [{ choice: 'approve' }, { choice: 'reject' }],
      candidates: { people: [], groups: [] },
      approvals: { needed: 1, given: [] },
      priority: 50,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.stringify(task['choices'])).not.toContain('"result"');
    const { status, body } = await desk.answer('cy', task, {
      ...approve,
      digest: task.digest,
      reason: 'fine',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      task: { status: 'answered', answer: { by: 'cy', choice: 'approve', edited: false, reason: 'fine' } },
      run: { runId },
    });
    expect(await desk.ended(runId)).toMatchObject({ status: 'completed', result: { done: true } });
    const calls = await desk.get('operator', `/v1/runs/${runId}/tool-calls`);
    expect(calls.body).toMatchObject({ items: [{ approvedBy: 'cy', status: 'completed' }] });
  });

  it('arguments are edited in an approval, checked like a model’s, and recorded as an edit; equal ones are none', async () => {
    const { runId, task } = await waiting('refund');
    const wrong = await desk.answer('cy', task, { ...approve, arguments: { amount: 'much' } });
    expect(wrong).toMatchObject({
      status: 422,
      body: { code: 'invalid-arguments', errors: [{ path: '/arguments/amount' }] },
    });
    const { body } = await desk.answer('cy', task, { ...approve, arguments: { amount: 4 } });
    expect(body).toMatchObject({ task: { answer: { edited: true, arguments: { amount: 4 } } } });
    await desk.ended(runId);
    expect(called.at(-1)).toMatchObject({ amount: 4 });
    const same = await waiting('refund');
    const equal = await desk.answer('cy', same.task, { ...approve, arguments: { amount: 5 } });
    expect(equal.body).toMatchObject({ task: { answer: { edited: false } } });
    await desk.ended(same.runId);
  });

  it('a call of a run that is cancelled waits for nobody', async () => {
    const { runId, task } = await waiting('refund');
    const toolCalls = async () => (await desk.get('operator', `/v1/runs/${runId}/tool-calls`)).body;
    expect(await toolCalls()).toMatchObject({ items: [{ status: 'awaiting-approval' }] });
    expect(await desk.post('operator', `/v1/runs/${runId}/cancel`)).toMatchObject({ status: 200 });
    expect(await desk.ended(runId)).toMatchObject({ status: 'cancelled' });
    expect(await desk.get('operator', `/v1/tasks/${task.taskId}`)).toMatchObject({
      body: { status: 'withdrawn' },
    });
    expect(await toolCalls()).toMatchObject({
      items: [{ status: 'failed', error: { kind: 'cancelled' }, completedAt: expect.any(String) }],
    });
  });

  it('a rejected call is not made, and a wrong digest, another choice and its members are refused', async () => {
    const count = called.length;
    const { runId, task } = await waiting('refund');
    expect(
      await codes(
        desk.answer('cy', task, { ...approve, digest: '0'.repeat(64) }),
        desk.answer('cy', task, { ...approve, version: 2 }),
        desk.answer('cy', task, { choice: 'accept', digest: task.digest, proposalId: task.taskId }),
        desk.answer('cy', task, { ...approve, result: 3 }),
        desk.answer('cy', task, { choice: 'reject', result: 3 }),
      ),
    ).toEqual([
      [409, 'changed'],
      [409, 'changed'],
      [422, 'invalid-arguments'],
      [422, 'invalid-arguments'],
      [422, 'invalid-arguments'],
    ]);
    expect((await desk.answer('cy', task, { choice: 'reject', reason: 'no' })).status).toBe(200);
    expect(await desk.ended(runId)).toMatchObject({ status: 'failed', failure: { kind: 'refused' } });
    expect(called).toHaveLength(count);
  });

  it('of twenty answers at once one is taken, and the others get it', async () => {
    const { task } = await waiting('refund');
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        desk.answer(n % 2 ? 'ann' : 'bob', task, n % 3 ? approve : { choice: 'reject' }),
      ),
    );
    const winners = all.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const taken = (winners[0]?.body['task'] as DeskTask | undefined)?.['answer'];
    const others = all.filter(({ status }) => status !== 200);
    expect(others.map(({ status, body }) => [status, body['code'], body['answer']])).toEqual(
      others.map(() => [409, 'answered', taken]),
    );
  });

  it('two of a group approve a call of which a policy says so, with the same arguments; one rejection rejects; all choices are shown', async () => {
    const { runId, task } = await waiting('shared');
    expect(await codes(desk.answer('cy', task, approve), desk.answer('operator', task, approve))).toEqual([
      [403, 'not-a-candidate'],
      [403, 'not-a-person'],
    ]);
    const claimable = async (who: string) => {
      const { body } = await desk.get(who, `/v1/tasks?candidate=me&runId=${runId}`);
      const counts = await desk.get(who, '/v1/tasks/counts');
      return [(body['items'] as object[]).length, counts.body['claimable']];
    };
    const [one, all] = await claimable('ann');
    expect(one).toBe(1);
    const first = await desk.answer('ann', task, approve);
    expect(await claimable('ann')).toEqual([0, Number(all) - 1]);
    expect((await claimable('bob'))[0]).toBe(1);
    expect(first.body).toMatchObject({
      task: { status: 'open', approvals: { needed: 2, given: [{ by: 'ann', choice: 'approve' }] } },
    });
    expect((await desk.answer('ann', task, { ...approve, arguments: { amount: 5 } })).body).toMatchObject({
      task: { status: 'open', approvals: { given: [{ by: 'ann' }] } },
    });
    expect((await desk.answer('bob', task, { ...approve, arguments: { amount: 6 } })).body).toMatchObject({
      task: { status: 'open' },
    });
    expect((await desk.answer('bob', task, { ...approve, reason: 'yes' })).body).toMatchObject({
      task: { status: 'answered', answer: { by: 'bob' } },
    });
    expect(await desk.ended(runId)).toMatchObject({ status: 'completed' });
    expect(called.at(-1)).toMatchObject({ amount: 5 });
    const replay = await desk.post('operator', `/v1/runs/${runId}/replay`);
    expect(replay.body).toMatchObject({ identical: true });
    const other = await waiting('shared');
    await desk.answer('ann', other.task, approve);
    expect((await desk.answer('bob', other.task, { choice: 'reject' })).body).toMatchObject({
      task: {
        approvals: {
          given: [
            { by: 'ann', choice: 'approve' },
            { by: 'bob', choice: 'reject' },
          ],
        },
      },
    });
    expect(await desk.ended(other.runId)).toMatchObject({ status: 'failed', failure: { kind: 'refused' } });
  });

  it('the creator does not approve their own call, at any door; without a person there is no start', async () => {
    const { runId, task } = await waiting('own', { amount: 1 }, 'olga');
    expect(task).toMatchObject({ excluded: ['olga'] });
    const sent = { payload: { approved: true } };
    expect(
      await codes(
        desk.answer('olga', task, approve),
        desk.post('olga', `/v1/runs/${runId}/signals/approval`, sent),
        desk.post('operator', '/v1/runs', {
          workflow: 'calling',
          input: { tool: 'own', args: { amount: 1 } },
        }),
      ),
    ).toEqual([
      [403, 'excluded'],
      [403, 'excluded'],
      [422, 'creator-unknown'],
    ]);
    expect((await desk.post('cy', `/v1/runs/${runId}/signals/approval`, sent)).status).toBe(200);
    expect(await desk.taskOf(runId)).toMatchObject({ status: 'answered', answer: { by: 'cy' } });
  });

  it('a condition says which calls need people; one that cannot be is refused with a pointer', async () => {
    const input = { tool: 'large', args: { amount: 5 } };
    const free = await desk.post('operator', '/v1/runs', { workflow: 'calling', input, waitMs: 10_000 });
    expect(free.body).toMatchObject({ status: 'completed' });
    const { task } = await waiting('large', { amount: 500 });
    expect(task).toMatchObject({ priority: 80, candidates: { people: ['ann'] } });
    const bad = async (needsApproval: object) => {
      const { status, body } = await desk.tool('bad', needsApproval);
      return [status, (body['errors'] as { path: string }[] | undefined)?.[0]?.path];
    };
    expect(await bad({ if: 'args.' })).toEqual([422, '/policy/needsApproval/if']);
    expect(await bad({ exclude: ['proposers'] })).toEqual([422, '/policy/needsApproval/exclude']);
    expect((await bad({ approvals: 0 }))[0]).toBe(400);
  });
});
