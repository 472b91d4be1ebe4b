import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { recordedCalls } from '#lib/call-rules';
import { roundTaskId, type SessionEvent } from '#lib/decisions/session';
import { derivedId, type Event } from '#lib/kernel';
import { peopleModel, personEventDefinitions } from '#lib/people/core';
import { models, recordOf, type SchemaOf } from '#lib/read-models';
import {
  appendAll,
  id,
  openLog,
  type PlacedEvent,
  sessionCreated,
  TestParts,
  timeOf,
} from '#lib/read-models/testing';
import { runs, runsModel } from '#lib/runs/runs/core';
import { clockStepOf, DUE_TIMES } from '#lib/workflow';
import { dueTimesEventDefinitions } from './due-times/due-times.events.js';
import { dueTimesRequests } from './due-times/due-times-requests.js';
import { taskEventDefinitions } from './task.events.js';
import { countTasks, pageOfTasks } from './tasks.queries.js';
import { tasksModel } from './tasks.read-model.js';
import { tasksTable } from './tasks.tables.js';

const SESSION = id('session');
const TASK = roundTaskId(SESSION, 'r1');
const CLOCK = id('clock');

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts(openLog(undefined, [taskEventDefinitions, dueTimesEventDefinitions]));
});
afterEach(() => parts.close());

const session = (event: SessionEvent, sessionId = SESSION): PlacedEvent => ({
  category: 'session',
  id: sessionId,
  event,
});
const waits = (over: object = {}, sessionId = SESSION): PlacedEvent => {
  const data = { roundId: 'r1', reason: 'no-proposals', detail: 'none', ...over } as const;
  return session({ type: 'HumanInputRequested', data }, sessionId);
};
const onTask = (event: Event): PlacedEvent => ({ category: 'task', id: TASK, event });
const onClock = (event: Event): PlacedEvent => ({ category: 'due_times', id: CLOCK, event });
const claimed = (version: number) =>
  onTask({ type: 'TaskClaimed', data: { by: 'ann', until: timeOf(9_999), version } });

const all = [...models, runsModel(recordedCalls, [dueTimesRequests]), peopleModel, tasksModel];

async function project(...events: readonly PlacedEvent[]) {
  return parts.project(events, all);
}

async function taskAfter(...events: readonly PlacedEvent[]) {
  const { db } = await project(session(sessionCreated(SESSION)), ...events);
  const [row] = await db
    .withTables<SchemaOf<typeof tasksTable>>()
    .selectFrom(tasksTable.name)
    .selectAll()
    .execute();
  if (!row) throw new Error('no task');
  return recordOf(tasksTable, row);
}

it('a claim holds for the wait that was claimed: one that comes after the next wait changes nothing', async () => {
  expect(await taskAfter(waits(), claimed(1))).toMatchObject({ version: 1, claimedBy: 'ann' });
});

it('a claim of the wait before changes nothing', async () => {
  const task = await taskAfter(waits(), waits(), claimed(1));
  expect(task).toMatchObject({ version: 2 });
  expect(task.claimedBy).toBeUndefined();
});

it('a claim and an assignment hold from the registration of their person on, and not from one before it', async () => {
  const person = (event: Event): PlacedEvent => ({ category: 'person', id: 'ann', event });
  const data = { personId: 'ann', role: 'reviewer', tokenHash: 'h' } as const;
  const registered = person({ type: 'PersonRegistered', data });
  const again = [person({ type: 'PersonDeleted', data: { personId: 'ann' } }), registered];
  const assigned = onTask({ type: 'TaskAssigned', data: { by: 'olga', personId: 'ann' } });
  const mineAfter = async (...acts: readonly PlacedEvent[]) => {
    await parts.close();
    parts = new TestParts(
      openLog(undefined, [taskEventDefinitions, dueTimesEventDefinitions, personEventDefinitions]),
    );
    const { db } = await project(session(sessionCreated(SESSION)), registered, waits(), ...acts);
    const counts = await countTasks(db, 'ann', timeOf(99));
    return [counts.claimed, counts.mine];
  };
  expect(await mineAfter(claimed(1))).toEqual([0, 0]);
  expect(await mineAfter(assigned)).toEqual([0, 1]);
  expect(await mineAfter(assigned, claimed(1))).toEqual([1, 1]);
  expect(await mineAfter(assigned, claimed(1), ...again)).toEqual([0, 0]);
  expect(await mineAfter(claimed(1), ...again, assigned)).toEqual([0, 1]);
  expect(await mineAfter(assigned, ...again, waits(), claimed(2))).toEqual([0, 0]);
  expect(await mineAfter(...again, assigned, waits(), claimed(2))).toEqual([1, 1]);
});

it('a clock of the wait before moves no times and adds no people', async () => {
  const before = await taskAfter(waits({ clockId: CLOCK }), waits({ endsClocks: [CLOCK] }));
  await parts.close();
  parts = new TestParts(openLog(undefined, [taskEventDefinitions, dueTimesEventDefinitions]));
  const after = await taskAfter(
    waits({ clockId: CLOCK }),
    waits({ endsClocks: [CLOCK] }),
    onClock({ type: 'DueMoved', data: { stepId: 'moved#1', by: 'operator', dueAt: timeOf(50) } }),
    onClock({ type: 'TaskEscalated', data: { taskId: TASK, groups: [], people: ['eve'], keep: false } }),
  );
  expect(after).toEqual(before);
});

it('the task of a run is due no more once its clock has failed; an answer before that changes nothing', async () => {
  const run = id('run');
  const ofRun = (event: Event): PlacedEvent => ({ category: 'planner', id: run, event });
  const [since, stepId] = [timeOf(0), 'ok'];
  const clock = { stepId: clockStepOf(stepId), runId: derivedId(run, clockStepOf(stepId)) };
  const times = { dueIn: 'PT1H' };
  const begun = [
    ofRun({ type: 'WorkflowStarted', data: { workflow: 'planner', version: 1, input: null, facts: {} } }),
    ofRun({
      type: 'SignalAwaited',
      data: { stepId, signal: 'answer', people: { people: ['ann'], ...times } },
    }),
    ofRun({ type: 'ChildStarted', data: { ...clock, workflow: DUE_TIMES, input: { since, times } } }),
  ];
  const answered = ofRun({ type: 'SignalReceived', data: { stepId, signal: 'answer', payload: 1 } });
  const failed = ofRun({ type: 'ChildEnded', data: { ...clock, status: 'failed' } });
  const rowAfter = async (...events: readonly PlacedEvent[]) => {
    await parts.close();
    parts = new TestParts(openLog(undefined, [taskEventDefinitions, dueTimesEventDefinitions]));
    return taskAfter(...events);
  };
  const before = await rowAfter(...begun);
  expect(before).toMatchObject({ status: 'open', dueAt: expect.any(String) });
  const after = await rowAfter(...begun, failed);
  expect(after).toMatchObject({ status: 'open' });
  expect(after.dueAt).toBeUndefined();
  expect(await rowAfter(...begun, answered, failed)).toEqual({ ...before, status: 'answered' });
});

it('those who have given an approval are kept for the round, also if it waits later or again', async () => {
  const given = (by: string): PlacedEvent => {
    const choice = { transitionName: 'approve', toState: 'constructor', reasoning: '' };
    const specialist = { specialistId: by, specialistVersion: 1 };
    const data = { arbitrationId: id(by), roundId: 'r1', ...specialist, by, ...choice };
    return session({ type: 'ApprovalGiven', data });
  };
  const task = await taskAfter(given('ann'), waits(), given('bob'), given('ann'), waits());
  expect(task.givers).toEqual(['ann', 'bob']);
});

it('a clock of a wait of a run that ends after the wait, when its task has left memory, is folded', async () => {
  const run = id('run');
  const ofRun = (event: Event): PlacedEvent => ({ category: 'planner', id: run, event });
  const stepId = 'ok';
  const clock = { stepId: clockStepOf(stepId), runId: derivedId(run, clockStepOf(stepId)) };
  const started = { workflow: DUE_TIMES, input: { since: timeOf(0), times: {} } };
  const before = [
    ofRun({ type: 'WorkflowStarted', data: { workflow: 'planner', version: 1, input: null, facts: {} } }),
    ofRun({ type: 'SignalAwaited', data: { stepId, signal: 'answer', people: { people: ['ann'] } } }),
    ofRun({ type: 'ChildStarted', data: { ...clock, ...started } }),
    ofRun({ type: 'SignalReceived', data: { stepId, signal: 'answer', payload: 1 } }),
  ];
  const store = await parts.openStore();
  const revisionAfter = async (events: readonly PlacedEvent[], firstNumber = 0) => {
    const runner = parts.runner(store, all);
    await appendAll(parts.log, events, firstNumber);
    await runner.start();
    await runner.caughtUpWithHead(10_000);
    await runner.stop();
    const { table } = runs;
    const rows = store.db.withTables<SchemaOf<typeof table>>().selectFrom(table.name).selectAll();
    return (await rows.execute()).map(({ revision }) => revision);
  };
  expect(await revisionAfter(before)).toEqual([3]);
  const ended = ofRun({ type: 'ChildEnded', data: { ...clock, status: 'cancelled' } });
  expect(await revisionAfter([ended], before.length)).toEqual([4]);
});

it('a clock of the round that fails leaves the task the time at which its own clock says that it is due', async () => {
  const moved = onClock({
    type: 'DueMoved',
    data: { stepId: 'moved#1', by: 'operator', dueAt: timeOf(50) },
  });
  const failure = { kind: 'refused', message: 'no' };
  const ended = (clockId: string) =>
    session({ type: 'ClockEnded', data: { roundId: 'r1', clockId, failure } });
  expect((await taskAfter(waits({ clockId: CLOCK }), moved, ended(id('other')))).dueAt).toBe(timeOf(50));
  await parts.close();
  parts = new TestParts(openLog(undefined, [taskEventDefinitions, dueTimesEventDefinitions]));
  expect((await taskAfter(waits({ clockId: CLOCK }), moved, ended(CLOCK))).dueAt).toBeUndefined();
});

it('an open task is counted once, however often it waits, and not after its end', async () => {
  const [one, other] = [id('session 1'), id('session 2')];
  const closed = session({ type: 'SessionClosed', data: { roundId: 'r1', by: 'ann' } }, one);
  const begun = [one, other].flatMap((each) => [session(sessionCreated(each), each), waits({}, each)]);
  const openAfter = async (...events: readonly PlacedEvent[]) => {
    await parts.close();
    parts = new TestParts(openLog(undefined, [taskEventDefinitions, dueTimesEventDefinitions]));
    const { db } = await project(...begun, ...events);
    return (await countTasks(db, undefined, timeOf(9))).open;
  };
  expect(await openAfter()).toBe(2);
  expect(await openAfter(waits({}, one))).toBe(2);
  expect(await openAfter(closed)).toBe(1);
  expect(await openAfter(closed, closed)).toBe(1);
});

it('a page of tasks reads one of them at a time', async () => {
  const sessions = [1, 2, 3].map((n) => id(`session ${n}`));
  const { db } = await project(
    ...sessions.flatMap((one) => [session(sessionCreated(one), one), waits({}, one)]),
  );
  let reading = 0;
  const shown = await pageOfTasks(
    db as Parameters<typeof pageOfTasks>[0],
    { statuses: ['open'] },
    { at: timeOf(0), sort: 'since' },
    {},
    async ({ taskId }) => {
      expect(++reading).toBe(1);
      await Promise.resolve();
      reading--;
      return taskId;
    },
  );
  expect(shown).toMatchObject({ items: { length: 3 } });
});
