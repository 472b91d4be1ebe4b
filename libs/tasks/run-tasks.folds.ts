import { excludedPeople, hasTimes, type PeoplePolicy } from '#lib/candidates';
import { derivedId, type RecordedEvent } from '#lib/kernel';
import type { FoldPage, Folds, NumberedEvent, Ref, SeenDoc } from '#lib/read-models';
import { runs } from '#lib/runs/runs/core';
import {
  type ChildStarted,
  clockStepOf,
  DUE_TIMES,
  type RuntimeEvent,
  type SignalAwaited,
  timedWait,
  waitTaskId,
} from '#lib/workflow';
import { type AudienceWords, EVERYBODY } from './audience.js';
import { type Clock, dueAtOf } from './due-times/clock.rules.js';
import { waitKind } from './run-task.rules.js';
import type { WaitOwner } from './task.family.js';
import { UNCLAIMED } from './task-acts.folds.js';
import { setDue, setStatus } from './task-docs.js';

import { taskClocks, taskRuns, tasks } from './tasks.tables.js';

/** Opens the task of a wait. */
type Open = (
  page: FoldPage,
  wait: WaitOwner & {
    readonly version: number;
    readonly workflow: string;
    readonly rootId: string;
    readonly since: string;
    readonly number: number;
    readonly clockId: string | undefined;
  },
  who: {
    readonly policy: PeoplePolicy | undefined;
    readonly otherwise: AudienceWords;
    readonly excluded: readonly string[] | undefined;
  },
) => void;

const waitOf = ({ data }: RecordedEvent<SignalAwaited>, runId: string): readonly Ref[] => {
  const task = [tasks, waitTaskId(runId, data.stepId)] as const;
  const clockId = clockIdOf(data, runId);
  return clockId === undefined ? [task] : [task, [taskClocks, clockId]];
};

/** The clock of a wait with times is a run below that of the wait. */
function clockIdOf({ stepId, people }: SignalAwaited['data'], runId: string): string | undefined {
  return hasTimes(people) ? derivedId(runId, clockStepOf(stepId)) : undefined;
}

/** The task whose wait is timed at a step, with `others`; none if no wait is timed there. */
function timedTask(stepId: string, runId: string, others: readonly Ref[] = []): readonly Ref[] {
  const waitId = timedWait(stepId);
  return waitId === undefined ? [] : [[tasks, waitTaskId(runId, waitId)], ...others];
}

/** How waits of runs open and end. A run that is asked to end waits for no one. */
export function onRun(open: Open): Folds<RuntimeEvent> {
  return {
    SignalAwaited: {
      needs: (event, runId) => (waitKind(event.data) ? waitOf(event, runId) : []),
      fold: (page, event, runId) => awaited(page, event, runId, open),
    },
    ChoiceGiven: (page, { data: { stepId, by } }, runId) => {
      const task = page.change(tasks, waitTaskId(runId, stepId));
      if (!task) return;
      const givers = [...new Set([...(task.givers ?? []), by])];
      Object.assign(task, { givers, ...(task.claimedBy === by && UNCLAIMED) });
    },
    ChildStarted: {
      needs: ({ data: { stepId, runId: clockId } }, runId) =>
        timedTask(stepId, runId, [[taskClocks, clockId]]),
      fold: (page, event, runId) => {
        if (event.data.workflow === DUE_TIMES) clockBegan(page, event, runId);
      },
    },
    ChildEnded: {
      // The wait may have ended in an earlier page: no other reference leads to its task then.
      needs: ({ data: { stepId } }, runId) => timedTask(stepId, runId),
      fold: (page, { data: { stepId, runId: clockId, status } }, runId) => {
        const waitId = timedWait(stepId);
        const task = waitId === undefined ? undefined : page.see(tasks, waitTaskId(runId, waitId));
        if (waitId === undefined || task?.clockId !== clockId) return;
        if (status === 'completed') ended(page, runId, waitId, 'expired');
        else clockFailed(page, runId, waitId);
      },
    },
    SignalReceived: (page, { data }, runId) => ended(page, runId, data.stepId, 'answered'),
    TimerFired: (page, { data }, runId) => ended(page, runId, data.stepId, 'expired'),
    StepCancelled: (page, { data }, runId) => ended(page, runId, data.stepId, 'withdrawn'),
    RunCancelRequested: allEnded,
    WorkflowEnded: allEnded,
    WorkflowGivenUp: allEnded,
  };
}

function awaited(page: FoldPage, event: NumberedEvent<SignalAwaited>, runId: string, open: Open): void {
  const { data, occurredAt: since, number } = event;
  const kind = waitKind(data);
  const run = page.see(runs, runId);
  if (!kind || !run) return;
  const { stepId, people: policy } = data;
  const { waits = [] } = page.see(taskRuns, runId) ?? {};
  page.put(taskRuns, { runId, waits: [...waits, stepId] });
  const { workflow } = run;
  const root = rootOf(run);
  const creators = [...(run.startedBy ? [run.startedBy] : []), ...(run.forkedBy ?? [])];
  const excluded = excludedPeople(policy, { creators });
  const wait = {
    taskId: waitTaskId(runId, stepId),
    kind,
    version: 1,
    runId,
    stepId,
    workflow,
    ...root,
    rootId: root.sessionId ?? root.conversationId ?? run.rootRunId ?? runId,
    since,
    number,
    clockId: clockIdOf(data, runId),
  };
  open(page, wait, {
    policy,
    otherwise: [EVERYBODY],
    excluded: excluded.length > 0 ? excluded : undefined,
  });
}

/** The clock of a wait begins. One that an operator has asked for has no escalations. */
function clockBegan(
  page: FoldPage,
  { data: { stepId, runId: clockId, input }, metadata }: NumberedEvent<ChildStarted>,
  runId: string,
): void {
  const waitId = timedWait(stepId);
  const task = waitId === undefined ? undefined : page.change(tasks, waitTaskId(runId, waitId));
  if (!task) return;
  task.clockId = clockId;
  if (!page.see(taskClocks, clockId)) page.put(taskClocks, { clockId, taskId: task.taskId, words: [] });
  if (!metadata.erased) setDue(task, dueAtOf(input as Clock, {}));
}

/** Without its clock a wait is never due. */
function clockFailed(page: FoldPage, runId: string, waitId: string): void {
  const isOpen = page.see(taskRuns, runId)?.waits.includes(waitId) === true;
  const task = isOpen ? page.change(tasks, waitTaskId(runId, waitId)) : undefined;
  if (task) setDue(task, undefined);
}

const OF_A_STREAM = /^(session|conversation)-(.+)$/;

/** The session or the turn for which a run works. */
function rootOf(
  run: SeenDoc<(typeof runs)['table']>,
): Pick<WaitOwner, 'sessionId' | 'conversationId' | 'turnId'> {
  const stream = run.rootStream ?? run.ownerStream ?? '';
  const [, category, id] = OF_A_STREAM.exec(stream) ?? [];
  if (id === undefined) return {};
  if (category === 'session') return { sessionId: id };
  return { conversationId: id, turnId: run.rootRunId ?? run.runId };
}

function ended(
  page: FoldPage,
  runId: string,
  stepId: string,
  status: 'answered' | 'expired' | 'withdrawn',
): void {
  const waiting = page.see(taskRuns, runId);
  if (!waiting?.waits.includes(stepId)) return;
  const task = page.change(tasks, waitTaskId(runId, stepId));
  if (task) setStatus(page, task, status);
  const waits = waiting.waits.filter((one) => one !== stepId);
  if (waits.length > 0) page.put(taskRuns, { runId, waits });
  else page.drop(taskRuns, runId);
}

function allEnded(page: FoldPage, _event: unknown, runId: string): void {
  for (const stepId of page.see(taskRuns, runId)?.waits ?? []) ended(page, runId, stepId, 'withdrawn');
}
