import type { ActivityEvent, Outcome } from '#lib/workflow';
import {
  bodyOf,
  emptyLlmMemory,
  evolveLlmMemory,
  type LlmCallRequested,
  recordedCalls,
} from '#lib/call-rules';
import { StreamHistory } from '#lib/event-store';
import type { Event, Json, JsonObject, RecordedEvent } from '#lib/kernel';
import type { CloseSolicitation } from '#lib/decisions/session';
import {
  newestVersion,
  type Rules,
  type RunEnd,
  verifyRun,
  type Verification,
  type Workflow,
} from '#lib/workflow';
import { RunHistory } from '#lib/workflow/testing';
import type { FallbackTaken, SolicitationChoice } from '../solicitation.events.js';
import { solicitationResult } from '../solicitation-requests.js';
import { solicitation } from '../solicitation.workflow.js';
import { type LadderStart, ladderStart } from './ladder-start.js';

/** Gives the outcome of a call. Throws for an outcome of another activity. */
export type Scripted = (call: { readonly activity: string; readonly stepId: string }) => Outcome;

export type History = readonly RecordedEvent[];

const MOST_CALLS = 100;

/** The rules, with the data of the only referenced event as context. */
const rules: Rules = {
  ...(solicitation.versions[newestVersion(solicitation)] as Rules),
  contextOf: ({ events: [given] }) => (given?.data ?? {}) as Json,
};
const workflow: Workflow = { ...solicitation, versions: { [newestVersion(solicitation)]: rules } };

/** The run at the start of a test. */
export function ladderRun(start: LadderStart): RunHistory {
  const { input, facts } = ladderStart(start);
  return RunHistory.of(workflow, {
    input,
    facts,
    activities: recordedCalls.all,
    contextEvents: contextEvents(start),
  });
}

export function verifyLadder(start: LadderStart, history: History): Verification {
  return verifyRun(workflow, recordedCalls, history, new StreamHistory(contextEvents(start)));
}

function contextEvents(start: LadderStart): History {
  const { context } = ladderStart(start);
  const occurredAt = '2026-01-02T03:04:05.678Z';
  const ids = { correlationId: context.sessionId, causationId: 'c', commandId: 'c' };
  const metadata = { schemaVersion: 1, occurredAt, ...ids, actor: 'spec' };
  const place = { stream: `redial_session-${context.sessionId}`, revision: 0, position: 'log.0' };
  return [
    {
      type: 'ProposalSolicited',
      data: context,
      eventId: 'e',
      schemaVersion: 1,
      occurredAt,
      metadata,
      ...place,
    },
  ];
}

/**
 * `ladder(start).replies(…)`: the whole history of the run with these outcomes of its calls, in order; time passes in its waits.
 * Throws if outcomes are missing or left over. `ladder(start).answeredBy(outcome)`: the same with one function for all calls.
 */
export function ladder(start: LadderStart = {}) {
  return {
    replies: (...script: readonly Scripted[]) => {
      const left = [...script];
      const history = played(start, (call) => {
        const next = left.shift();
        if (!next) throw new Error(`The script has no answer to ${call.activity} ${call.stepId}.`);
        return next(call);
      });
      if (left.length > 0) throw new Error(`${left.length} answers of the script are left.`);
      return history;
    },
    answeredBy: (outcome: Scripted) => played(start, outcome),
  };
}

function played(start: LadderStart, answer: Scripted): History {
  const run = ladderRun(start);
  for (let calls = 0; !run.end; calls++) {
    if (calls === MOST_CALLS) throw new Error('The run does not end.');
    const [[stepId, step] = []] = [...run.open];
    if (stepId === undefined || !step) throw new Error('The run waits for nothing.');
    if (step.kind === 'call') run.answer(stepId, answer({ activity: step.activity, stepId }));
    else run.fire(stepId);
  }
  return run.events;
}

/** The end of a run, and its result in the session: the choice with its findings, or the failure. */
export function endOf(events: History): {
  readonly status: RunEnd['status'];
  readonly data: SolicitationChoice | Exclude<CloseSolicitation['data']['result'], { choice: unknown }>;
} {
  const last: Event | undefined = events.at(-1);
  if (last?.type !== 'WorkflowEnded') throw new Error(`The history ends with ${last?.type}.`);
  const end = last.data as RunEnd;
  const said = solicitationResult(end);
  return {
    status: end.status,
    data: 'failure' in said ? said : (end.result as JsonObject & SolicitationChoice),
  };
}

/** The requests of one type, each with the time that passed before it. */
export function requestsOf(events: History, requestType: string) {
  let delayMs = 0;
  return events.flatMap(({ type, data }: Event) => {
    if (type === 'TimerStarted') delayMs = (data as { afterMs: number }).afterMs;
    if (!type.endsWith('CallRequested')) return [];
    const request = { ...(data as JsonObject & { readonly stepId: string }), delayMs };
    delayMs = 0;
    return type === requestType ? [request] : [];
  });
}

/** The model calls in a history, with their whole bodies. */
export function callsOf(events: History) {
  const memories = events.map((_, index) =>
    (events as readonly RecordedEvent<ActivityEvent>[])
      .slice(0, index + 1)
      .reduce(evolveLlmMemory, emptyLlmMemory),
  );
  const memoryOf = (id: string) =>
    memories[events.findIndex(({ data }) => 'stepId' in data && data.stepId === id && 'body' in data)];
  return requestsOf(events, 'LlmCallRequested').map(({ delayMs, ...data }) => {
    const request = data as JsonObject & LlmCallRequested['data'];
    const { stepId, attempt, labels, timeoutMs, url } = request;
    const requestBody = bodyOf(request, memoryOf(stepId) ?? emptyLlmMemory);
    return { stepId, rung: labels?.['rung'], attempt, delayMs, timeoutMs, url, requestBody };
  });
}

/** The steps down the ladder in a history, as text: `tools → decision: no-tool-call`. */
export function fallbacksOf(events: History): readonly string[] {
  return (events as readonly RecordedEvent<FallbackTaken>[]).flatMap(({ type, data }) =>
    type === 'FallbackTaken' ? [`${data.from} → ${data.to}: ${data.reason}`] : [],
  );
}
