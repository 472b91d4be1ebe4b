import { type RecordedEvent, shownLabels } from '#lib/kernel';
import type { DocOf, Fold, FoldPage, Folds, NumberedEvent, ReadModel, Ref } from '#lib/read-models';
import {
  type ActivityRegistry,
  dueAfter,
  givenUpEnd,
  isExternal,
  isOwnAwait,
  type RunEnd,
  type RunRequests,
  type RuntimeEvent,
  type SignalAwaited,
  type TimerStarted,
  type WorkflowStarted,
} from '#lib/workflow';
import { DUE_NOW, NO_WAIT, waitOf } from './run-wait.rules.js';
import {
  awaitId,
  openRuns,
  type OpenStep,
  runAwaits,
  runForkOrigin,
  runRequests,
  runs,
  type runsTable,
} from './runs.tables.js';

type RunDoc = DocOf<typeof runsTable>;
type RunEvent = NumberedEvent<RuntimeEvent>;

interface Known {
  readonly activities: ActivityRegistry;
  /** Workflows whose runs their owners may withdraw. */
  readonly withdrawable: readonly string[];
}

const step = (stepId: string, kind: OpenStep['kind']): OpenStep => ({ stepId, kind });

/** The steps that events of a run open and close. */
const onRun: Folds<RuntimeEvent> = {
  TimerStarted: (page, event, runId) =>
    open(page, runId, { ...step(event.data.stepId, 'timer'), ...dueOf(event) }),
  SignalAwaited: awaited,
  ChildStarted: (page, { data: { stepId, runId: childId } }, runId) => {
    const isStarted = page.see(runs, childId) !== undefined;
    open(page, runId, { ...step(stepId, 'child'), runId: childId, ...(isStarted && { isStarted }) });
  },
  TimerFired: (page, { data }, runId) => close(page, runId, ({ stepId }) => stepId === data.stepId),
  SignalReceived: (page, { data }, runId) => close(page, runId, ({ stepId }) => stepId === data.stepId),
  ClockRequested: (page, { data }, runId) => withoutTimeOut(page, runId, data.stepId),
  DueMoved: (page, { data }, runId) => close(page, runId, ({ stepId }) => stepId === data.stepId),
  ChildEnded: (page, { data }, runId) => {
    close(page, runId, ({ stepId }) => stepId === data.stepId);
    delivered(page, data.runId);
  },
  StepCancelled: (page, { data }, runId) =>
    close(page, runId, ({ stepId, kind }) => stepId === data.stepId && kind !== 'child'),
  // A run that is asked to end waits for no person.
  RunCancelRequested: (page, _, runId) => close(page, runId, ({ kind }) => kind === 'await'),
  WorkflowEnded: (page, { data, occurredAt }, runId) => ended(page, runId, data, occurredAt),
  WorkflowGivenUp: (page, { data, occurredAt }, runId) => ended(page, runId, givenUpEnd(data), occurredAt),
};

/** The runs of all workflows, their open awaits, and the runs that are asked for. */
export function runsModel(activities: ActivityRegistry, requests: readonly RunRequests[]): ReadModel<'runs'> {
  const withdrawable = requests.filter((one) => one.withdrawnBy).map(({ workflow }) => workflow);
  return {
    name: 'runs',
    kinds: [runs, openRuns, runAwaits, runRequests],
    ofRuns: [runs, openRuns],
    on: Object.fromEntries(requests.map(({ category }) => [category, ownerOf(category, requests)])),
    onRuns: {
      needs: neededBy,
      fold: (page: FoldPage, event: RunEvent, runId: string) =>
        onEvent(page, event, runId, { activities, withdrawable }),
    },
  };
}

/** How streams of a category ask for runs, and take in their ends. */
function ownerOf(category: string, all: readonly RunRequests[]) {
  const requests = all.filter((one) => one.category === category);
  return {
    needs: (event: RecordedEvent) => {
      const refs: Ref[] = [];
      if (event.metadata.copied) return refs;
      for (const { askedBy, takenBy, withdrawnBy } of requests) {
        const [asked, taken] = [askedBy(event), takenBy(event)];
        if (asked !== undefined) refs.push([runRequests, asked]);
        if (taken !== undefined) refs.push(...runAndOpen(taken));
        for (const id of withdrawnBy?.(event) ?? []) refs.push([runRequests, id], ...runAndOpen(id));
      }
      return refs;
    },
    // Runs that copied events name belong to the stream that they were copied from.
    fold: (page: FoldPage, event: NumberedEvent) => {
      if (!event.metadata.copied) onOwner(page, event, requests);
    },
  };
}

function runAndOpen(runId: string | undefined): readonly Ref[] {
  return runId === undefined
    ? []
    : [
        [runs, runId],
        [openRuns, runId],
      ];
}

function neededBy({ type, data }: RecordedEvent<RuntimeEvent>, runId: string): readonly Ref[] {
  switch (type) {
    case 'WorkflowStarted':
      return [[runRequests, runId], ...runAndOpen(parentOf(data))];
    case 'ChildStarted':
    case 'ChildEnded':
      return runAndOpen(data.runId);
    case 'SignalAwaited':
      return [[runAwaits, awaitId(runId, data.stepId)]];
    default:
      return [];
  }
}

function parentOf({ owner }: WorkflowStarted['data']): string | undefined {
  return owner && 'run' in owner ? owner.run : undefined;
}

function onEvent(page: FoldPage, event: RunEvent, runId: string, known: Known): void {
  const run = page.change(runs, runId);
  if (event.type === 'WorkflowStarted') started(page, event, runId, known);
  else if (run) advanced(page, event, run, known);
  settle(page, runId);
}

function advanced(page: FoldPage, event: RunEvent, run: RunDoc, { activities }: Known): void {
  const { runId } = run;
  Object.assign(run, { revision: event.revision, updatedAt: event.occurredAt });
  if (event.type === 'WorkflowForked') forked(run, event);
  // The fork opens the copied open steps again.
  if (event.metadata.copied) return;
  const opened = page.change(openRuns, runId);
  if (opened) opened.isToSettle = isExternal(event, activities);
  const call = activities.roleOf(event);
  const { stepId = '' } = event.data as { readonly stepId?: string };
  if (call?.role === 'requested') open(page, runId, step(stepId, 'call'));
  else if (call) close(page, runId, (one) => one.stepId === stepId);
  else
    (onRun as { readonly [type: string]: Fold | undefined })[event.type]?.(page, event, runId, run.workflow);
}

function started(
  page: FoldPage,
  event: RunEvent & { type: 'WorkflowStarted' },
  runId: string,
  { withdrawable }: Known,
): void {
  const { data, stream, occurredAt, number } = event;
  const { workflow, version: workflowVersion, owner } = data;
  const parentRunId = parentOf(data);
  const ownerStream = owner && 'stream' in owner ? owner.stream : undefined;
  const forkedFrom = data.forkedFrom && runForkOrigin(data.forkedFrom);
  // A withdrawal drops the request: the owner takes in no end of a run that starts after it.
  const isWithdrawn =
    ownerStream !== undefined && withdrawable.includes(workflow) && !page.see(runRequests, runId);
  page.drop(runRequests, runId);
  page.put(openRuns, { runId, isToSettle: true, isDelivered: owner === undefined, isWithdrawn, steps: [] });
  page.put(runs, {
    runId,
    workflow,
    workflowVersion,
    status: 'running',
    isWaiting: false,
    parentRunId,
    ownerStream,
    ...rootOf(page, parentRunId),
    startedBy: data.by,
    forkedBy: data.forkedBy,
    ...shownLabels(event),
    ...(forkedFrom && { forkedFrom, forkOf: forkedFrom.runId }),
    ...(data.fork && { isOfFork: true }),
    createdAt: occurredAt,
    updatedAt: occurredAt,
    revision: 0,
    openStream: stream,
    dueAt: DUE_NOW,
    isTimed: false,
    number,
  });
  if (parentRunId !== undefined) childStarted(page, parentRunId, runId);
}

/** Also for a copied event: its person forked a run that this run was forked from. */
function forked(run: RunDoc, { occurredAt, data: { by } }: RunEvent & { type: 'WorkflowForked' }): void {
  run.createdAt = occurredAt;
  if (by !== undefined) run.forkedBy = [...(run.forkedBy ?? []), by];
}

function rootOf(page: FoldPage, parentRunId: string | undefined): Pick<RunDoc, 'rootRunId' | 'rootStream'> {
  const parent = parentRunId === undefined ? undefined : page.see(runs, parentRunId);
  if (!parent) return {};
  return {
    rootRunId: parent.rootRunId ?? parent.runId,
    rootStream: parent.rootStream ?? parent.ownerStream,
  };
}

/** Notes that the child was started, so that the parent need not start it. */
function childStarted(page: FoldPage, parentId: string, childId: string): void {
  const parent = page.change(openRuns, parentId);
  if (!parent) return;
  const isStarted = true as const;
  parent.steps = parent.steps.map((one) => (one.runId === childId ? { ...one, isStarted } : one));
  settle(page, parentId);
}

function awaited(page: FoldPage, event: NumberedEvent<SignalAwaited>, runId: string): void {
  const { data, occurredAt: openedAt, position } = event;
  const { stepId, signal, schema, prompt } = data;
  const due = dueOf(event);
  // The run continues by itself in time: it is in no inbox, and does not wait.
  if (isOwnAwait(page.see(runs, runId)?.workflow ?? '', data))
    return open(page, runId, { ...step(stepId, 'timer'), ...due });
  open(page, runId, { ...step(stepId, 'await'), ...due });
  const one = { awaitId: awaitId(runId, stepId), runId, stepId, openedAt, signal, schema, prompt, position };
  page.put(runAwaits, { ...one, ...due });
}

function dueOf({ data, occurredAt }: NumberedEvent<TimerStarted | SignalAwaited>): Pick<OpenStep, 'dueAt'> {
  const until = 'until' in data ? data.until : undefined;
  const dueAt = data.afterMs === undefined ? Infinity : dueAfter(occurredAt, data.afterMs, until);
  return dueAt < Infinity ? { dueAt } : {};
}

function open(page: FoldPage, runId: string, opened: OpenStep): void {
  const run = page.change(openRuns, runId);
  if (run) run.steps = [...run.steps, opened];
}

/** Removes the time-out of an await, because the clock replaces it. */
function withoutTimeOut(page: FoldPage, runId: string, stepId: string): void {
  const run = page.change(openRuns, runId);
  const awaited = page.change(runAwaits, awaitId(runId, stepId));
  if (!run || !awaited) return;
  run.steps = run.steps.map((one) => (one.stepId === stepId ? step(stepId, 'await') : one));
  awaited.dueAt = undefined;
}

function close(page: FoldPage, runId: string, isClosed: (one: OpenStep) => boolean): void {
  const run = page.change(openRuns, runId);
  if (!run) return;
  for (const { kind, stepId } of run.steps.filter(isClosed)) {
    if (kind === 'await') page.drop(runAwaits, awaitId(runId, stepId));
  }
  run.steps = run.steps.filter((one) => !isClosed(one));
}

function ended(page: FoldPage, runId: string, { status, failure }: RunEnd, endedAt: string): void {
  close(page, runId, () => true);
  const run = page.change(runs, runId);
  if (run) Object.assign(run, { status, failure, endedAt });
}

/** Notes that the owner has taken in the end. */
function delivered(page: FoldPage, runId: string): void {
  const [run, opened] = [page.change(runs, runId), page.change(openRuns, runId)];
  if (run) run.openStream = undefined;
  if (opened) opened.isDelivered = true;
  settle(page, runId);
}

/** Updates the columns of a run that follow from its open steps, for lists and recovery. */
function settle(page: FoldPage, runId: string): void {
  const [run, opened] = [page.change(runs, runId), page.see(openRuns, runId)];
  if (!run || !opened) return;
  const hasEnded = run.endedAt !== undefined;
  const isAtRest = hasEnded && (opened.isDelivered || opened.isWithdrawn);
  if (isAtRest) run.openStream = undefined;
  Object.assign(run, hasEnded ? { ...NO_WAIT, dueAt: isAtRest ? undefined : DUE_NOW } : waitOf(opened));
  if (isAtRest) page.drop(openRuns, runId);
}

/** Takes the requests, ends and withdrawals of runs from an event of a capability's stream. */
function onOwner(page: FoldPage, event: NumberedEvent, requests: readonly RunRequests[]): void {
  for (const { workflow, askedBy, takenBy, withdrawnBy } of requests) {
    const [asked, taken] = [askedBy(event), takenBy(event)];
    if (asked !== undefined) page.put(runRequests, { runId: asked, workflow, stream: event.stream });
    if (taken !== undefined) delivered(page, taken);
    for (const id of withdrawnBy?.(event) ?? []) withdrawn(page, id);
  }
}

/** Notes that the end of a run is no longer needed: a driver cancels the run, if it has begun. */
function withdrawn(page: FoldPage, runId: string): void {
  if (page.see(runRequests, runId)) page.drop(runRequests, runId);
  const opened = page.change(openRuns, runId);
  if (opened) opened.isWithdrawn = true;
  settle(page, runId);
}
