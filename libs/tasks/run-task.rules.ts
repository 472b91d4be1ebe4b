import {
  approvalsOf,
  excludedPeople,
  isNaming,
  type PeoplePolicy,
  priorityOf,
  withApproval,
} from '#lib/candidates';
import { ownEvents } from '#lib/event-store';
import {
  derivedId,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonText,
  ownMember,
  present,
  type RecordedEvent,
  sameJson,
} from '#lib/kernel';
import {
  APPROVAL,
  type ChildStarted,
  type ChoiceGiven,
  clockStepOf,
  creatorsIn,
  DUE_TIMES,
  dueAfter,
  peopleWait,
  type RuntimeEvent,
  type SignalAwaited,
  type SignalReceived,
  timedWait,
} from '#lib/workflow';
import type { Clock } from './due-times/clock.rules.js';
import type { WaitingThing, WaitOwner } from './task.family.js';
import type { TaskAnswerView } from './tasks.views.js';
import { waitChoices } from './wait-choices.js';

/** The kind of the task of an await; `undefined` if it is for programs. */
export function waitKind(awaited: SignalAwaited['data']): WaitOwner['kind'] | undefined {
  if (!peopleWait(awaited)) return undefined;
  return awaited.signal === APPROVAL ? 'approval' : 'answer';
}

type RunEvents = readonly RecordedEvent<RuntimeEvent>[];

/** A run that times a wait. */
interface WaitClock {
  readonly clockId: string;
  /** Absent once its subject is erased. */
  readonly clock?: Clock;
  readonly hasFailed: boolean;
}

/** The wait of a run as a task; `undefined` if people were never asked there. */
export function runTask(owner: WaitOwner, history: readonly RecordedEvent[]): WaitingThing | undefined {
  const events = eventsOf(history);
  const { taskId, kind, stepId } = owner;
  const opened = openingIn(history, owner);
  const [start] = history as RunEvents;
  if (!opened || !waitKind(opened.data) || start?.type !== 'WorkflowStarted') return undefined;
  const { people, prompt } = opened.data;
  const closing = events.find((event) => isClosing(event, stepId));
  const shown = ownObject(prompt, 'arguments');
  return {
    taskId,
    version: 1,
    kind,
    status: statusAfter(closing),
    ...wordsOf(opened.data, start.data.workflow),
    about: aboutOf(owner, opened.data, start.data.workflow),
    ...(kind === 'approval' && shown && { arguments: shown }),
    ...(prompt !== undefined && prompt !== null && { prompt }),
    choices: waitChoices(opened.data),
    ...whoAnswers(people, creatorsIn(history)),
    approvals: { needed: approvalsOf(people), given: givenIn(events, opened.data) },
    priority: priorityOf(people),
    since: opened.occurredAt,
    ...timeOutOf(opened),
    ...((start.data.fork ?? start.data.forkedFrom) && { isFork: true }),
    ...(closing?.type === 'SignalReceived' && { answer: answerIn(closing, shown) }),
  };
}

/** The event that opened a wait of a run. */
export function openingIn(
  history: readonly RecordedEvent[],
  { stepId }: Pick<WaitOwner, 'stepId'>,
): RecordedEvent<SignalAwaited> | undefined {
  return eventsOf(history).find((event): event is RecordedEvent<SignalAwaited> => isOpening(event, stepId));
}

/** The wait of a fork is a new wait: only the fork's own events count. */
function eventsOf(history: readonly RecordedEvent[]): RunEvents {
  return ownEvents(history as RunEvents);
}

function timeOutOf({ data: { afterMs }, occurredAt }: RecordedEvent<SignalAwaited>) {
  const expiresAt = afterMs === undefined ? Infinity : dueAfter(occurredAt, afterMs);
  return expiresAt < Infinity
    ? { times: { expiresAt: new Date(expiresAt).toISOString(), escalations: 0 } }
    : {};
}

function isOpening({ type, data }: RecordedEvent<RuntimeEvent>, stepId: string): boolean {
  return type === 'SignalAwaited' && data.stepId === stepId;
}

/** A run that is asked to end waits for no one. */
function isClosing({ type, data }: RecordedEvent<RuntimeEvent>, stepId: string): boolean {
  switch (type) {
    case 'SignalReceived':
    case 'TimerFired':
    case 'StepCancelled':
      return data.stepId === stepId;
    case 'ChildEnded':
      return data.status === 'completed' && timedWait(data.stepId) === stepId;
    default:
      return type === 'RunCancelRequested' || type === 'WorkflowEnded' || type === 'WorkflowGivenUp';
  }
}

function statusAfter(closing: RuntimeEvent | undefined): WaitingThing['status'] {
  if (closing?.type === 'SignalReceived') return 'answered';
  if (closing?.type === 'TimerFired' || closing?.type === 'ChildEnded') return 'expired';
  return closing ? 'withdrawn' : 'open';
}

/** The clocks of a wait, oldest first: each is a run. If a clock failed before the wait ended, its remaining times have no effect. */
export function clocksOfWait(
  { stepId }: Pick<WaitOwner, 'stepId'>,
  history: readonly RecordedEvent[],
): readonly WaitClock[] {
  const events = eventsOf(history);
  const closing = events.find((event) => isClosing(event, stepId));
  return events.flatMap((event) => {
    if (event.type !== 'ChildStarted' || !isClockOf(event.data, stepId)) return [];
    const { runId: clockId, input } = event.data;
    const end = events.find(({ type, data }) => type === 'ChildEnded' && data.runId === clockId);
    const hasFailed = end !== undefined && end !== closing && !isAfter(end, closing);
    const clock = event.metadata.erased ? undefined : (input as Clock);
    return [{ clockId, hasFailed, ...(clock && { clock }) }];
  });
}

/** The id of the clock that begins next in a wait. The clocks that had ended where a run was forked do not begin again. */
export function nextClockOf(
  { runId, stepId }: Pick<WaitOwner, 'runId' | 'stepId'>,
  history: readonly RecordedEvent[],
): string {
  const ended = (history as RunEvents).flatMap((event) =>
    event.type === 'ChildEnded' && timedWait(event.data.stepId) === stepId ? [event.data.stepId] : [],
  );
  return derivedId(runId, clockStepOf(stepId, new Set(ended).size + 1));
}

function isClockOf({ workflow, stepId }: ChildStarted['data'], waitId: string): boolean {
  return workflow === DUE_TIMES && timedWait(stepId) === waitId;
}

function isAfter(one: RecordedEvent, other: RecordedEvent | undefined): boolean {
  return other !== undefined && one.revision > other.revision;
}

const SENTENCES: { readonly [reason: string]: string } = {
  'needs-approval': 'A call of the tool needs an approval.',
  held: 'A fork makes the call: what it calls belongs to the application.',
  interrupted:
    'It is not known whether the call was made: approve to make it again, or reject it, with its result if you know it.',
};

function wordsOf({ signal, prompt }: SignalAwaited['data'], workflow: string) {
  const toolId = ownText(prompt, 'toolId');
  const reason = ownText(prompt, 'reason') ?? signal;
  const title =
    ownText(prompt, 'title') ?? (toolId === undefined ? `${workflow}: ${signal}` : `Approve ${toolId}`);
  const asked = typeof prompt === 'string' ? prompt : ownText(prompt, 'question');
  const question = asked ?? (toolId === undefined ? title : `May ${toolId} be called with these arguments?`);
  return {
    title,
    question,
    reason,
    detail: SENTENCES[reason] ?? `The run waits for the signal ${jsonText(signal)}.`,
  };
}

function aboutOf(
  owner: WaitOwner,
  { stepId, signal, prompt }: SignalAwaited['data'],
  workflow: string,
): JsonObject {
  const { runId, sessionId, conversationId, turnId } = owner;
  const toolId = ownText(prompt, 'toolId');
  const callId = ownText(prompt, 'callId');
  return {
    ...(sessionId !== undefined && { sessionId }),
    runId,
    workflow,
    ...present({ conversationId, turnId }),
    awaitId: stepId,
    signal,
    ...present({ toolId, callId }),
  };
}

/** Without named people every reviewer and operator answers. */
function whoAnswers(policy: PeoplePolicy | undefined, creators: readonly string[]) {
  const { groups = [], people = [] } = (isNaming(policy) && policy) || {};
  return { candidates: { people, groups }, excluded: excludedPeople(policy, { creators }) };
}

/** The choices of several people: the last one is the signal that ends the wait. */
function givenIn(events: RunEvents, { stepId, signal, people }: SignalAwaited['data']) {
  if (approvalsOf(people) === 1) return [];
  const given = events.filter((event): event is RecordedEvent<ChoiceGiven | SignalReceived> => {
    return (event.type === 'ChoiceGiven' || event.type === 'SignalReceived') && event.data.stepId === stepId;
  });
  const all = given.map(({ data, occurredAt: at, position }) => ({
    by: data.by ?? 'operator',
    at,
    position,
    choice: choiceOf(signal, data.payload),
  }));
  return all.reduce<typeof all>((before, next) => [...withApproval(before, next)], []);
}

function choiceOf(signal: string, payload: Json): string {
  if (signal !== APPROVAL) return 'answer';
  return isJsonObject(payload) && payload['approved'] === true ? 'approve' : 'reject';
}

function answerIn(
  { data, occurredAt: at }: RecordedEvent<SignalReceived>,
  shown: JsonObject | undefined,
): TaskAnswerView {
  const { by = 'operator', payload, signal } = data;
  const choice = choiceOf(signal, payload);
  const changed = choice === 'approve' ? ownObject(payload, 'arguments') : undefined;
  const reason = data.reason ?? (choice === 'answer' ? undefined : ownText(payload, 'reason'));
  return {
    by,
    at,
    choice,
    ...(choice === 'answer' && { payload }),
    ...(choice === 'approve' && (changed ?? shown) && { arguments: changed ?? shown }),
    ...(reason !== undefined && { reason }),
    edited: changed !== undefined && !sameJson(changed, shown ?? {}),
  };
}

function ownText(value: Json | undefined, name: string): string | undefined {
  const member = isJsonObject(value) ? ownMember(value, name) : undefined;
  return typeof member === 'string' ? member : undefined;
}

function ownObject(value: Json | undefined, name: string): JsonObject | undefined {
  const member = isJsonObject(value) ? ownMember(value, name) : undefined;
  return isJsonObject(member) ? member : undefined;
}
