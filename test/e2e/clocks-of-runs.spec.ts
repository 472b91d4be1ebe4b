import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { derivedId, type JsonObject } from '#lib/kernel';
import { callTool } from '#lib/runs/tools';
import { clockStepOf, defineWorkflow, RunCommands, signal } from '#lib/workflow';
import { approval } from '../support/approval.workflow.js';
import { codes, TaskDesk } from '../support/task-desk.js';
import { untilEvent } from '../support/until-event.js';
import { askingFor } from '#lib/workflow/testing';

const asking = askingFor({ type: 'boolean' });
const paying = defineWorkflow<JsonObject, unknown>('paying', {
  input: { type: 'object' },
  uses: () => ({ tools: ['pay'] }),
  versions: {
    1: function* () {
      return yield* callTool('pay', { amount: 5 }, { id: 'call' });
    },
  },
});

const signalling = defineWorkflow<JsonObject, unknown>('signalling', {
  input: { type: 'object' },
  versions: {
    1: function* () {
      return yield* signal('approval');
    },
  },
});

const PEOPLE = { ann: ['reviewer'], eve: ['reviewer'], olga: ['operator'] } as const;
const yes = { choice: 'answer', payload: true };

describe('times of tasks of runs', () => {
  let desk: TaskDesk;
  beforeAll(async () => {
    const functions = { refund: () => ({ done: true }) };
    desk = await TaskDesk.start({ workflows: [asking, paying, signalling, approval], functions }, PEOPLE);
    expect((await desk.tool('pay', { people: ['ann'], expireIn: 'PT1S' })).status).toBe(201);
  });
  afterAll(() => desk.stop());

  const isOf = (taskId: string, type: string) => (event: { type: string; data: object }) =>
    event.type === type && (event.data as { taskId?: string }).taskId === taskId;

  const endOf =
    (runId: string) =>
    ({ type, stream }: { type: string; stream: string }) =>
      type === 'WorkflowEnded' && stream.endsWith(runId);

  it('are shown, moved by an operator, and escalate to others, who then answer by both doors', async () => {
    const times = { dueIn: 'PT1H', escalations: [{ in: 'PT1S', people: ['eve'] }], expireIn: 'PT8H' };
    const runs = [
      await desk.started('asking', { people: ['ann'], ...times }),
      await desk.started('asking', { people: ['ann'], ...times }),
    ];
    const [first, second] = [await desk.taskOf(runs[0] ?? ''), await desk.taskOf(runs[1] ?? '')];
    expect(first).toMatchObject({ overdue: false, dueAt: expect.any(String), expiresAt: expect.any(String) });
    for (const { taskId } of [first, second])
      await untilEvent(desk.server.log, isOf(taskId, 'TaskEscalated'));
    const dueAt = new Date(Date.now() + 7_200_000).toISOString();
    expect(await desk.post('ann', `/v1/tasks/${first.taskId}/extend`, { dueAt })).toMatchObject({
      status: 403,
    });
    expect(await desk.post('olga', `/v1/tasks/${first.taskId}/extend`, { dueAt })).toMatchObject({
      status: 200,
      body: { dueAt, escalated: 1, candidates: { people: ['ann', 'eve'] } },
    });
    const { body } = await desk.get('eve', '/v1/tasks?candidate=me&sort=due');
    expect((body['items'] as { taskId: string }[]).map(({ taskId }) => taskId)).toEqual([
      second.taskId,
      first.taskId,
    ]);
    expect(await desk.answer('eve', first, yes)).toMatchObject({ status: 200 });
    const signal = `/v1/runs/${runs[1] ?? ''}/signals/answer`;
    expect(await desk.post('eve', signal, { payload: true })).toMatchObject({ status: 200 });
    const events = await desk.get('ann', `/v1/tasks/${first.taskId}/events`);
    expect((events.body['items'] as { type: string }[]).map(({ type }) => type)).toEqual([
      'TaskEscalated',
      'DueMoved',
    ]);
    expect(await desk.post('olga', `/v1/runs/${runs[0] ?? ''}/replay`)).toMatchObject({
      body: { identical: true },
    });
  });

  it('are not shown once the clock was given up, until an operator sets others; its escalations stay', async () => {
    const times = { dueIn: 'PT1H', escalations: [{ in: 'PT1S', people: ['eve'] }], expireIn: 'PT8H' };
    const runId = await desk.started('asking', { people: ['ann'], ...times });
    const { taskId } = await desk.taskOf(runId);
    await untilEvent(desk.server.log, isOf(taskId, 'TaskEscalated'));
    const clockId = derivedId(runId, clockStepOf('person#1'));
    const stream = desk.server.log.streams.of('due_times', clockId);
    const about = {
      correlationId: clockId,
      causationId: clockId,
      commandId: randomUUID(),
      actor: 'operator',
    };
    const metadata = { occurredAt: new Date().toISOString(), ...about };
    await desk.server.app.get(RunCommands, { strict: false }).giveUp(stream, {}, { metadata });
    await untilEvent(desk.server.log, (event) => event.type === 'ChildEnded' && event.stream.endsWith(runId));
    const task = await desk.taskOf(runId);
    expect(task).toMatchObject({ status: 'open', escalated: 1, candidates: { people: ['ann', 'eve'] } });
    expect([task['dueAt'], task['expiresAt']]).toEqual([undefined, undefined]);
    const dueAt = new Date(Date.now() + 7_200_000).toISOString();
    expect(await desk.post('olga', `/v1/tasks/${taskId}/extend`, { dueAt })).toMatchObject({
      status: 200,
      body: { dueAt, escalated: 1, candidates: { people: ['ann', 'eve'] } },
    });
    expect(await desk.answer('eve', task, yes)).toMatchObject({ status: 200 });
  });

  it('are those that an operator sets where there are none: once for a key, in lists, and to the expiry', async () => {
    const runId = await desk.started('asking', {});
    const { taskId } = await desk.taskOf(runId);
    const path = `/v1/tasks/${taskId}/extend`;
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
    const first = { dueAt: inMs(3_600_000), expiresAt: inMs(7_200_000) };
    const [one, again] = [
      await desk.post('olga', path, first, { 'Idempotency-Key': 'times' }),
      await desk.post('olga', path, first, { 'Idempotency-Key': 'times' }),
    ];
    expect(one).toMatchObject({ status: 200, body: { ...first, overdue: false, escalated: 0 } });
    expect(again).toEqual(one);
    expect((await desk.get('ann', `/v1/tasks?runId=${runId}`)).body).toMatchObject({ items: [first] });
    const sooner = { dueAt: inMs(1_500), expiresAt: inMs(2_500) };
    expect(await desk.post('olga', path, sooner)).toMatchObject({ status: 200, body: sooner });
    await untilEvent(desk.server.log, isOf(taskId, 'TaskOverdue'));
    expect((await desk.get('ann', '/v1/tasks?overdue=true&status=all')).body['items']).toContainEqual(
      expect.objectContaining({ taskId }),
    );
    await untilEvent(desk.server.log, endOf(runId));
    expect(await desk.ended(runId)).toMatchObject({ status: 'failed', failure: { kind: 'expired' } });
    expect(await codes(desk.answer('ann', { taskId }, yes))).toEqual([[410, 'expired']]);
    const events = (await desk.get('ann', `/v1/tasks/${taskId}/events`)).body['items'];
    expect((events as { type: string }[]).slice(0, 3).map(({ type }) => type)).toEqual([
      'DueMoved',
      'DueMoved',
      'TaskOverdue',
    ]);
    expect(await desk.post('olga', `/v1/runs/${runId}/replay`)).toMatchObject({ body: { identical: true } });
  });

  it('take the place of the time-out of a wait, in the run as in lists', async () => {
    const runId = await desk.started('asking', { expireIn: 'PT1H' });
    const { taskId } = await desk.taskOf(runId);
    const expiresAt = new Date(Date.now() + 7_200_000).toISOString();
    await desk.post('olga', `/v1/tasks/${taskId}/extend`, { expiresAt });
    const { awaiting } = (await desk.get('ann', `/v1/runs/${runId}`)).body;
    expect(awaiting).toEqual([expect.not.objectContaining({ dueAt: expect.anything() })]);
    const listed = (await desk.get('ann', '/v1/runs?workflow=asking')).body['items'] as { runId: string }[];
    expect(listed.find((one) => one.runId === runId)).toMatchObject({ awaiting });
  });

  it.each(['asking', 'signalling'])(
    'are set under the same key although the process died before the clock took them, and the clock failed: %s',
    async (workflow) => {
      const runId = await desk.started(workflow, {});
      const { taskId } = await desk.taskOf(runId);
      const commands = desk.server.app.get(RunCommands, { strict: false });
      Object.assign(commands, { moveDue: () => Promise.reject(new Error('the process dies')) });
      const dueAt = new Date(Date.now() + 3_600_000).toISOString();
      const extend = () =>
        desk.post('olga', `/v1/tasks/${taskId}/extend`, { dueAt }, { 'Idempotency-Key': `died ${workflow}` });
      expect(await extend()).toMatchObject({ status: 500 });
      Reflect.deleteProperty(commands, 'moveDue');
      const started = await untilEvent(
        desk.server.log,
        ({ type, stream }) => type === 'ChildStarted' && stream.endsWith(runId),
      );
      const clockId = (started.data as { runId: string }).runId;
      const clock = desk.server.log.streams.of('due_times', clockId);
      await untilEvent(desk.server.log, ({ type, stream }) => type === 'WorkflowStarted' && stream === clock);
      const metadata = {
        occurredAt: new Date().toISOString(),
        correlationId: clockId,
        causationId: clockId,
        commandId: randomUUID(),
        actor: 'operator',
      };
      await commands.giveUp(clock, {}, { metadata });
      await untilEvent(
        desk.server.log,
        ({ type, stream }) => type === 'ChildEnded' && stream.endsWith(runId),
      );
      expect(await extend()).toMatchObject({ status: 200, body: { dueAt } });
    },
  );

  it('of rules are set, too: without a time-out of its own the run then fails, and it replays identical', async () => {
    const runId = await desk.started('approval', { item: 'cup' });
    const { taskId } = await desk.taskOf(runId);
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
    const dueAt = inMs(7_200_000);
    const path = `/v1/tasks/${taskId}/extend`;
    expect(await desk.post('olga', path, { dueAt })).toMatchObject({ status: 200, body: { dueAt } });
    expect((await desk.get('ann', `/v1/tasks?runId=${runId}`)).body).toMatchObject({ items: [{ dueAt }] });
    const expiresAt = inMs(1_200);
    expect(await desk.post('olga', path, { expiresAt })).toMatchObject({ body: { dueAt, expiresAt } });
    await untilEvent(desk.server.log, endOf(runId));
    expect(await desk.ended(runId)).toMatchObject({ status: 'failed', failure: { kind: 'expired' } });
    expect(await codes(desk.answer('ann', { taskId }, { choice: 'reject' }))).toEqual([[410, 'expired']]);
    expect(await desk.post('olga', `/v1/runs/${runId}/replay`)).toMatchObject({ body: { identical: true } });
  });

  it('of rules end with the answer', async () => {
    const runId = await desk.started('approval', { item: 'cup' });
    const task = await desk.taskOf(runId);
    const dueAt = new Date(Date.now() + 7_200_000).toISOString();
    await desk.post('olga', `/v1/tasks/${task.taskId}/extend`, { dueAt });
    expect(await desk.answer('ann', task, { choice: 'approve' })).toMatchObject({ status: 200 });
    await untilEvent(desk.server.log, endOf(runId));
    expect(await desk.ended(runId)).toMatchObject({ status: 'completed', result: { approved: true } });
    expect(await desk.post('olga', `/v1/runs/${runId}/replay`)).toMatchObject({ body: { identical: true } });
  });

  it('that escalate to others in place of everybody leave the answer to people', async () => {
    const escalations = [{ in: 'PT1S', people: ['eve'], keep: false }];
    const runId = await desk.started('asking', { escalations });
    const task = await desk.taskOf(runId);
    await untilEvent(desk.server.log, isOf(task.taskId, 'TaskEscalated'));
    const signal = `/v1/runs/${runId}/signals/answer`;
    expect(
      await codes(
        desk.answer('operator', task, yes),
        desk.post('operator', signal, { payload: true }),
        desk.answer('ann', task, yes),
      ),
    ).toEqual([
      [403, 'not-a-person'],
      [403, 'not-a-person'],
      [403, 'not-a-candidate'],
    ]);
    expect(await desk.answer('eve', task, yes)).toMatchObject({ status: 200 });
  });

  it('a call that nobody allows in time is refused, also in lists of calls, and its task has expired', async () => {
    const runId = await desk.started('paying', {});
    const task = await desk.taskOf(runId);
    await untilEvent(desk.server.log, endOf(runId));
    expect(await desk.ended(runId)).toMatchObject({ status: 'failed', failure: { kind: 'refused' } });
    const { body: calls } = await desk.get('ann', `/v1/runs/${runId}/tool-calls`);
    const error = { kind: 'refused', message: 'Nobody allowed this call within its time' };
    expect(calls).toMatchObject({ items: [{ status: 'refused', error, completedAt: expect.any(String) }] });
    expect(await codes(desk.answer('ann', task, { choice: 'approve' }))).toEqual([[410, 'expired']]);
    expect(
      (await desk.get('ann', `/v1/tasks?status=expired&kind=approval&runId=${runId}`)).body,
    ).toMatchObject({
      items: [{ taskId: task.taskId, status: 'expired' }],
    });
  });

  it('a tool with times that cannot be is refused with the pointer', async () => {
    const bad = await desk.tool('bad', { remindBefore: ['PT1H'] });
    expect(bad).toMatchObject({ status: 422 });
    expect(JSON.stringify(bad.body)).toContain('/policy/needsApproval/remindBefore');
  });
});
