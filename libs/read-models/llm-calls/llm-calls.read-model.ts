import {
  DEFAULT_PROVIDER,
  type LlmCallCompleted,
  type LlmCallEvent,
  type LlmCallFailed,
  type LlmCallRequested,
  parseReplyObject,
  readReply,
  type Reply,
  tokenBuckets,
  type ToolCall,
} from '#lib/call-rules';
import { derivedId, type JsonObject, type RecordedEvent } from '#lib/kernel';
import {
  type CallRung,
  type FallbackTaken,
  readDecision,
  type SolicitationChoice,
  type SolicitationFacts,
  type SolicitationInput,
} from '#lib/decisions/solicitation';
import type { WorkflowEnded, WorkflowStarted } from '#lib/workflow';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRow } from '../store/row-changes.js';
import type { Change } from '../store/statement.js';
import { received } from './answer.columns.js';
import { countDuration, withCall, withCallsOf, withoutCall, withoutCallsOf } from './llm-call-totals.js';
import {
  addRequestedCall,
  addRun,
  completeCall,
  countFallback,
  failCall,
  markInvalidArguments,
  removeRunWithoutFallbacks,
  TEXT_RUNGS,
} from './llm-calls.statements.js';
import { type LlmCallOutcome, llmCallRunsTable, llmCallTables } from './llm-calls.tables.js';

const addSolicitation = insertRow(llmCallRunsTable);

/**
 * A run that has ended calls no model any more, and starts no child: only its fallbacks are still read. One that an operator
 * gave up keeps its row: its open children may start after that, and take their subject from it.
 */
const ended = (runId: string): Change => removeRunWithoutFallbacks({ runId });

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
  FallbackTaken: ({ data }, solicitationId) =>
    recounted(solicitationId, [
      countFallback({ runId: solicitationId }),
      ...(data.reason === 'invalid-arguments' ? [markInvalidArguments({ solicitationId })] : []),
    ]),
  WorkflowEnded: ({ data: { result, failure } }, solicitationId) => {
    const { argumentErrors, argumentsMalformed } = (result ?? {}) as JsonObject & Partial<SolicitationChoice>;
    const refused = failure?.kind === 'invalid-arguments';
    const isInvalid = refused || argumentsMalformed === true || argumentErrors !== undefined;
    const marked = isInvalid ? recounted(solicitationId, [markInvalidArguments({ solicitationId })]) : [];
    return [...marked, ended(solicitationId)];
  },
};

/** A change of columns of a solicitation's calls that totals count. */
function recounted(solicitationId: string, changes: readonly Change[]): Change[] {
  return [withoutCallsOf(solicitationId), ...changes, withCallsOf(solicitationId)];
}

function started({ data: { workflow, owner } }: RecordedEvent<WorkflowStarted>, runId: string): Change[] {
  return [addRun({ runId, workflow, parentRunId: owner && 'run' in owner ? owner.run : null })];
}

function solicited({ data }: RecordedEvent<WorkflowStarted>, solicitationId: string): Change[] {
  const input = data.input as JsonObject & SolicitationInput;
  const { sessionId, roundId, specialistId, specialistVersion, machineName } = input;
  const { proposer } = data.facts as JsonObject & SolicitationFacts;
  if (proposer.kind !== 'model' && proposer.kind !== 'workflow') return [];
  return [
    addSolicitation({
      runId: solicitationId,
      workflow: data.workflow,
      solicitationId,
      sessionId,
      roundId,
      isEvaluation: data.owner !== undefined && 'run' in data.owner,
      specialistId,
      specialistVersion,
      machineName,
      fallbacks: 0,
    }),
  ];
}

function requested({ data, occurredAt, position }: RecordedEvent<LlmCallRequested>, runId: string): Change[] {
  const { stepId, provider = DEFAULT_PROVIDER, attempt = 1, price } = data;
  const model = data.body['model'];
  const { rung, round } = data.labels ?? {};
  const callId = derivedId(runId, stepId);
  return [
    addRequestedCall({
      callId,
      runId,
      stepId,
      rung: typeof rung === 'string' ? (rung as CallRung) : null,
      round: typeof round === 'number' ? round : null,
      price,
      provider,
      attempt,
      model: typeof model === 'string' ? model : '',
      day: occurredAt,
      requestedAt: occurredAt,
      position,
    }),
    withCall(callId),
  ];
}

function completed({ data, occurredAt }: RecordedEvent<LlmCallCompleted>, runId: string): Change[] {
  const reply = readReply(data);
  const completion = reply.kind === 'completion' ? reply : undefined;
  const { cacheRead, cacheWrite, reasoning } = tokenBuckets(reply.usage);
  const callId = derivedId(runId, data.stepId);
  return settled(
    callId,
    completeCall({
      callId,
      ...received(data, false),
      resolvedModel: completion?.resolvedModel,
      promptTokens: reply.usage?.promptTokens,
      completionTokens: reply.usage?.completionTokens,
      cacheReadTokens: cacheRead,
      cacheWriteTokens: cacheWrite,
      reasoningTokens: reasoning,
      durationMs: data.durationMs,
      firstTokenMs: data.firstTokenMs,
      error: reply.kind === 'failed' ? reply.failure.message : null,
      malformedArguments: completion?.toolCall !== undefined && isMalformed(completion.toolCall),
      asText: outcomeOf('text', reply),
      asTools: outcomeOf('tools', reply),
      asRun: outcomeOf(undefined, reply),
      completedAt: occurredAt,
    }),
  );
}

function failed({ data, occurredAt }: RecordedEvent<LlmCallFailed>, runId: string): Change[] {
  const { durationMs, message: error } = data.failure;
  const callId = derivedId(runId, data.stepId);
  const answer = received(data.received, data.received !== undefined);
  return settled(
    callId,
    failCall({ callId, ...answer, durationMs, error, outcome: 'failed', completedAt: occurredAt }),
  );
}

function settled(callId: string, outcome: Change): Change[] {
  return [withoutCall(callId), outcome, withCall(callId), countDuration({ callId })];
}

/** The outcome of a call that was answered, on a rung of a solicitation or of another run. On the text rungs no tools are offered, so only the text counts there. */
function outcomeOf(rung: CallRung | undefined, reply: Reply): LlmCallOutcome {
  if (reply.kind === 'failed') return 'failed';
  const isText = rung !== undefined && TEXT_RUNGS.includes(rung);
  if (!isText && reply.toolCall) return 'toolCall';
  if (rung === undefined) return 'noToolCall';
  if (!('unreadable' in readDecision(reply.content))) return 'decision';
  return isText ? 'unreadable' : 'noToolCall';
}

/** No text at all is right for a tool without parameters; for another one the run says that it does not fit. */
function isMalformed({ argumentsText }: ToolCall): boolean {
  return argumentsText.trim() !== '' && parseReplyObject(argumentsText) === undefined;
}

/** Every call to a model: the audit. The streams of the runs hold the bodies. */
export const llmCallsProjection: Projection<'llm_calls'> = {
  name: 'llm_calls',
  version: 11,
  tables: llmCallTables,
  on: { solicitation: onSolicitation },
  onRuns: () => onRun,
};
