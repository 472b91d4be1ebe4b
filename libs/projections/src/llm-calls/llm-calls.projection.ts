import {
  DEFAULT_PROVIDER,
  type LlmCallCompleted,
  type LlmCallEvent,
  type LlmCallFailed,
  type LlmCallRequested,
  parseReplyObject,
  readReply,
  type RecordedBody,
  tokenBuckets,
  type ToolCall,
} from '#lib/calls';
import { derivedId, type JsonObject, jsonText, type RecordedEvent } from '#lib/kernel';
import type {
  FallbackTaken,
  SolicitationChoice,
  SolicitationFacts,
  SolicitationInput,
} from '#lib/solicitation';
import type { WorkflowEnded, WorkflowStarted } from '#lib/workflow';
import { storedPosition } from '../row/stored-position.js';
import { storedText } from '../row/stored-text.js';
import { dayOf, storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRow } from '../store/insert-row.js';
import type { Change } from '../store/statement.js';
import { deleteRow } from '../store/update-row.js';
import { llmCallOutcome } from './llm-call-outcome.js';
import {
  countDuration,
  withCall,
  withCallsOf,
  withoutCall,
  withoutCallsOf,
} from './llm-call-totals.statements.js';
import { llmCallDurationsTable, llmCallTotalsTable } from './llm-call-totals.tables.js';
import {
  addRequestedCall,
  addRun,
  completeCall,
  countFallback,
  failCall,
  markInvalidArguments,
} from './llm-calls.statements.js';
import { llmCallRunsTable, llmCallsTable } from './llm-calls.tables.js';

const addSolicitation = insertRow(llmCallRunsTable);
const removeRun = deleteRow(llmCallRunsTable, ['run_id']);

/**
 * A run that has ended calls no model any more, and starts no child. One that an operator gave up keeps its row: its open
 * children may start after that, and take their subject from it.
 */
const ended = (runId: string): Change => removeRun({ run_id: runId });

const onRun: Handlers<WorkflowStarted | LlmCallEvent | WorkflowEnded> = {
  WorkflowStarted: started,
  WorkflowEnded: (_, runId) => [ended(runId)],
  LlmCallRequested: requested,
  LlmCallCompleted: completed,
  LlmCallFailed: failed,
};

const onSolicitation: Handlers<WorkflowStarted | LlmCallEvent | FallbackTaken | WorkflowEnded> = {
  ...onRun,
  WorkflowStarted: solicited,
  FallbackTaken: ({ data }, solicitationId) => [
    withoutCallsOf({ solicitationId }),
    countFallback({ solicitationId }),
    ...invalid(data.reason === 'invalid-arguments', solicitationId),
    withCallsOf({ solicitationId }),
  ],
  WorkflowEnded: ({ data: { result, failure } }, solicitationId) => {
    const { argumentErrors, argumentsMalformed } = (result ?? {}) as JsonObject & Partial<SolicitationChoice>;
    const refused = failure?.kind === 'invalid-arguments';
    const changes = invalid(
      refused || argumentsMalformed === true || argumentErrors !== undefined,
      solicitationId,
    );
    if (changes.length === 0) return [ended(solicitationId)];
    return [
      withoutCallsOf({ solicitationId }),
      ...changes,
      withCallsOf({ solicitationId }),
      ended(solicitationId),
    ];
  },
};

function started({ data: { workflow, owner } }: RecordedEvent<WorkflowStarted>, runId: string): Change[] {
  const parent = owner && 'run' in owner ? owner.run : null;
  return [addRun({ run_id: runId, workflow, parent_run_id: parent })];
}

function solicited({ data }: RecordedEvent<WorkflowStarted>, solicitationId: string): Change[] {
  const input = data.input as JsonObject & SolicitationInput;
  const { sessionId, roundId, specialistId, specialistVersion, machineName } = input;
  const { proposer } = data.facts as JsonObject & SolicitationFacts;
  if (proposer.kind !== 'model' && proposer.kind !== 'workflow') return [];
  return [
    addSolicitation({
      run_id: solicitationId,
      workflow: data.workflow,
      solicitation_id: solicitationId,
      session_id: sessionId,
      round_id: roundId,
      is_evaluation: data.owner && 'run' in data.owner ? 1 : 0,
      specialist_id: specialistId,
      specialist_version: specialistVersion,
      machine_name: machineName,
      fallbacks: 0,
    }),
  ];
}

function requested({ data, occurredAt, position }: RecordedEvent<LlmCallRequested>, runId: string): Change[] {
  const model = data.body['model'];
  const { rung, round } = data.labels ?? {};
  const call_id = derivedId(runId, data.stepId);
  return [
    addRequestedCall({
      call_id,
      run_id: runId,
      step_id: data.stepId,
      rung: typeof rung === 'string' ? rung : null,
      round: typeof round === 'number' ? round : null,
      price: data.price ? jsonText(data.price) : null,
      provider: data.provider ?? DEFAULT_PROVIDER,
      attempt: data.attempt ?? 1,
      model: storedText(typeof model === 'string' ? model : ''),
      day: dayOf(storedTime(occurredAt)),
      requested_at: storedTime(occurredAt),
      position: storedPosition(position),
    }),
    withCall({ call_id }),
  ];
}

function completed({ data, occurredAt }: RecordedEvent<LlmCallCompleted>, runId: string): Change[] {
  const reply = readReply(data);
  const completion = reply.kind === 'completion' ? reply : undefined;
  const { cacheRead, cacheWrite, reasoning } = tokenBuckets(reply.usage);
  const call_id = derivedId(runId, data.stepId);
  return settled(
    call_id,
    completeCall({
      call_id,
      response_status: data.status,
      response_encoding: encodingOf(data.body),
      resolved_model: completion?.resolvedModel === undefined ? null : storedText(completion.resolvedModel),
      prompt_tokens: reply.usage?.promptTokens ?? null,
      completion_tokens: reply.usage?.completionTokens ?? null,
      cache_read_tokens: cacheRead,
      cache_write_tokens: cacheWrite,
      reasoning_tokens: reasoning,
      duration_ms: data.durationMs,
      first_token_ms: data.firstTokenMs ?? null,
      error: reply.kind === 'failed' ? storedText(reply.failure.message) : null,
      malformed_arguments: completion?.toolCall && isMalformed(completion.toolCall) ? 1 : 0,
      asText: llmCallOutcome('text', reply),
      asTools: llmCallOutcome('tools', reply),
      asRun: llmCallOutcome(undefined, reply),
      completed_at: storedTime(occurredAt),
    }),
  );
}

function failed({ data, occurredAt }: RecordedEvent<LlmCallFailed>, runId: string): Change[] {
  const call_id = derivedId(runId, data.stepId);
  return settled(
    call_id,
    failCall({
      call_id,
      duration_ms: data.failure.durationMs,
      error: storedText(data.failure.message),
      response_status: data.received?.status ?? null,
      response_encoding: data.received ? encodingOf(data.received.body) : null,
      response_incomplete: data.received ? 1 : 0,
      completed_at: storedTime(occurredAt),
    }),
  );
}

function settled(call_id: string, outcome: Change): Change[] {
  return [withoutCall({ call_id }), outcome, withCall({ call_id }), countDuration({ call_id })];
}

function encodingOf({ encoding }: RecordedBody): string | null {
  return encoding === 'utf8' ? null : encoding;
}

/** No text at all is right for a tool without parameters; for another one the run says that it does not fit. */
function isMalformed({ argumentsText }: ToolCall): boolean {
  return argumentsText.trim() !== '' && parseReplyObject(argumentsText) === undefined;
}

function invalid(isSo: boolean, solicitationId: string): Change[] {
  return isSo ? [markInvalidArguments({ solicitationId })] : [];
}

/** Every call to a model: the audit. The streams of the runs hold the bodies. */
export const llmCallsProjection: Projection<'llm_calls'> = {
  name: 'llm_calls',
  version: 10,
  tables: [llmCallRunsTable, llmCallsTable, llmCallTotalsTable, llmCallDurationsTable],
  on: { solicitation: onSolicitation },
  onRuns: () => onRun,
};
