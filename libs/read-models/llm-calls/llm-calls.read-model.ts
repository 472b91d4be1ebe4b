import type { LlmCallEvent } from '#lib/call-rules';
import { idInStream } from '#lib/event-store';
import type { Event, JsonObject, RecordedEvent } from '#lib/kernel';
import type {
  FallbackTaken,
  SolicitationChoice,
  SolicitationFacts,
  SolicitationInput,
} from '#lib/decisions/solicitation';
import type { WorkflowEnded, WorkflowForked, WorkflowStarted } from '#lib/workflow';
import {
  type Folds,
  type NumberedEvent,
  type Page,
  type ReadModel,
  type Ref,
  withoutCopies,
} from '../loop/declare.js';
import { callIdOf } from './call-id.js';
import { completed, failed, requested } from './calls.fold.js';
import { recounted } from './count-calls.fold.js';
import {
  type CallOrigin,
  llmCallDurations,
  llmCallRuns,
  llmCalls,
  llmCallTotals,
  type RunOfCalls,
} from './llm-calls.tables.js';

const callOf = ({ data }: Event, runId: string): readonly Ref[] => {
  const { stepId } = data as { readonly stepId: string };
  return [[llmCalls, callIdOf(runId, stepId)]];
};
const newCallOf = (event: Event, runId: string): readonly Ref[] =>
  callOf(event, runId).map(([kind, id]) => [kind, id, 'new']);

const onRun: Folds<WorkflowStarted | WorkflowForked | LlmCallEvent | WorkflowEnded> = {
  WorkflowStarted: { needs: parentOf, fold: started },
  WorkflowForked: (page, _event, runId) => page.put(llmCallRuns, { runId, origin: 'fork' }),
  WorkflowEnded: ended,
  LlmCallRequested: { needs: newCallOf, fold: requested },
  LlmCallCompleted: { needs: callOf, fold: completed },
  LlmCallFailed: { needs: callOf, fold: failed },
};

const onSolicitation: Folds<WorkflowStarted | LlmCallEvent | FallbackTaken | WorkflowEnded> = {
  ...onRun,
  WorkflowStarted: solicited,
  FallbackTaken: (page, { data }, solicitationId) => {
    const asked = page.change(llmCallRuns, solicitationId);
    if (!asked) return;
    const fallbacks = (asked.fallbacks ?? 0) + 1;
    asked.fallbacks = fallbacks;
    for (const callId of Object.values(asked.firsts ?? {})) {
      const call = page.change(llmCalls, callId);
      if (call) recounted(page, call, (first) => (first.fallbacks = fallbacks));
    }
    if (data.reason === 'invalid-arguments') markInvalidArguments(page, asked);
  },
  WorkflowEnded: (page, event, solicitationId) => {
    const { result, failure } = event.data;
    const { argumentErrors, argumentsMalformed } = (result ?? {}) as JsonObject & Partial<SolicitationChoice>;
    const asked = page.see(llmCallRuns, solicitationId);
    const refused = failure?.kind === 'invalid-arguments';
    if (asked && (refused || argumentsMalformed === true || argumentErrors !== undefined))
      markInvalidArguments(page, asked);
    ended(page, event, solicitationId);
  },
};

/** A try belongs to no session, and counts in no total. */
const onTry: Folds<WorkflowStarted | LlmCallEvent | WorkflowEnded> = {
  ...onRun,
  WorkflowStarted: (page, _event, runId) => page.put(llmCallRuns, { runId, origin: 'experiment' }),
};

function parentOf({ data: { owner } }: RecordedEvent<WorkflowStarted>): readonly Ref[] {
  return owner && 'run' in owner ? [[llmCallRuns, owner.run]] : [];
}

/** A child inherits the columns of its parent. A turn of a forked conversation has no parent: its calls are of a fork. */
function started(page: Page, { data: { owner, fork } }: NumberedEvent<WorkflowStarted>, runId: string): void {
  const parent = owner && 'run' in owner ? page.see(llmCallRuns, owner.run) : undefined;
  if (!parent && fork) page.put(llmCallRuns, { runId, origin: 'fork' });
  if (!parent) return;
  const { firsts: _, lastCall: __, fallbacks: ___, ...subject } = parent;
  page.put(llmCallRuns, { ...subject, runId });
}

function solicited(
  page: Page,
  { data, metadata }: NumberedEvent<WorkflowStarted>,
  solicitationId: string,
): void {
  if (metadata.erased) return erasedRun(page, data, solicitationId);
  const input = data.input as JsonObject & SolicitationInput;
  const { sessionId, roundId, specialistId, specialistVersion, machineName } = input;
  const { proposer } = data.facts as JsonObject & SolicitationFacts;
  if (proposer.kind !== 'model' && proposer.kind !== 'workflow') return;
  page.put(llmCallRuns, {
    runId: solicitationId,
    solicitationId,
    sessionId,
    roundId,
    origin: originOf(data),
    specialistId,
    specialistVersion,
    machineName,
  });
}

/** An erased start has only the stream that asked for the run. */
function erasedRun(page: Page, { owner, fork }: WorkflowStarted['data'], solicitationId: string): void {
  if (!owner || !('stream' in owner)) return;
  const origin = fork ? 'fork' : 'live';
  page.put(llmCallRuns, {
    runId: solicitationId,
    solicitationId,
    sessionId: idInStream(owner.stream),
    origin,
  });
}

/** Solicitations that a run asks for are samples of an experiment, or before 0.3 of an evaluation. */
function originOf({ owner, fork, input }: WorkflowStarted['data']): CallOrigin {
  if (owner && 'run' in owner)
    return (input as JsonObject & SolicitationInput).experiment ? 'experiment' : 'evaluation';
  return fork ? 'fork' : 'live';
}

/**
 * An ended run makes no call and starts no child. A run that was given up keeps its row: its open children may start later, and
 * inherit its columns.
 */
function ended(page: Page, _event: NumberedEvent<WorkflowEnded>, runId: string): void {
  page.drop(llmCallRuns, runId);
}

/** Marks the last call of a solicitation. A call with malformed arguments is in no other class. */
function markInvalidArguments(page: Page, { lastCall }: Pick<RunOfCalls, 'lastCall'>): void {
  const last = typeof lastCall === 'string' ? page.change(llmCalls, lastCall) : undefined;
  if (!last || last.malformedArguments) return;
  recounted(page, last, (call) => (call.invalidArguments = true));
}

/** Every call to a model. The streams of the runs have the bodies. */
export const llmCallsModel: ReadModel<'llm_calls'> = {
  name: 'llm_calls',
  kinds: [llmCallRuns, llmCalls, llmCallTotals, llmCallDurations],
  ofRuns: [llmCallRuns],
  on: { solicitation: onSolicitation, llm_try: onTry },
  onRuns: withoutCopies(onRun),
};
