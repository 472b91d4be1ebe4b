import {
  isLongArguments,
  CONVERSATION_PARTS,
  NOT_ALLOWED_IN_TIME,
  type ToolConversation,
  type ToolRequest,
  type ToolResult,
} from '#lib/call-rules';
import { type Event, type Json, type JsonObject, jsonText, sameJson, sha256 } from '#lib/kernel';
import {
  APPROVAL,
  type JsonSchema,
  type Seen,
  type SignalReceived,
  type Unit,
  UnitAllowance,
} from '#lib/workflow';
import { approvers, needsApproval } from './needs-approval.rules.js';
import {
  argumentsIn,
  argumentsProblem,
  type ToolCallAsked,
  type ToolCallError,
  type ToolFact,
} from './tool-arguments.rules.js';

type Phase =
  | { readonly at: 'rejecting'; readonly error: ToolCallError }
  /** The call needs an approval. */
  | { readonly at: 'asking' }
  | { readonly at: 'calling' }
  /** The checks of this call and of the calls beside it take more than an allowance that the run was not granted. */
  | { readonly at: 'not-derived'; readonly unit: Unit }
  | { readonly at: 'over'; readonly result: ToolResult };

/** One call of a tool: checked, approved and made, until there is a result. */
export interface ToolCallState extends ToolCallAsked {
  readonly tool?: ToolFact;
  /** The arguments that are executed: the model's, or a person's replacement. `{}` if the text is not a JSON object. */
  readonly arguments: JsonObject;
  /** Whether a person replaced the arguments. */
  readonly changed: boolean;
  /** The attempt of the request that is open or comes next. */
  readonly attempt: number;
  /** The number of times a person was asked. */
  readonly asked: number;
  readonly phase: Phase;
}

const TIMEOUT_MS = 30_000;

/**
 * @param tool absent if no tool has that id
 * @param unit the allowance that the checks of all calls of the reply share: a call that exceeds it is rejected. Default: of this call alone
 */
export function beginToolCall(
  asked: ToolCallAsked,
  tool: ToolFact | undefined,
  unit = new UnitAllowance('reply', {}),
): ToolCallState {
  const given = argumentsIn(asked, tool, unit);
  const error = argumentsProblem(asked, given, tool, unit);
  return {
    ...asked,
    ...(tool && { tool }),
    arguments: given ?? {},
    changed: false,
    attempt: 1,
    asked: 0,
    phase: firstPhase(error, tool, given ?? {}, unit),
  };
}

function firstPhase(
  error: ToolCallError | undefined,
  tool: ToolFact | undefined,
  given: JsonObject,
  { isExceeded, isGranted, unit }: UnitAllowance,
): Phase {
  if (isExceeded && !isGranted) return { at: 'not-derived', unit };
  if (error) return { at: 'rejecting', error };
  if (!tool || !needsApproval(tool.policy, given)) return { at: 'calling' };
  return tool.creatorUnknown ? { at: 'rejecting', error: CREATOR_UNKNOWN } : { at: 'asking' };
}

/** The error of a call that no person may allow. */
export const CREATOR_UNKNOWN: ToolCallError = {
  kind: 'creator-unknown',
  message: 'The person who started the run may not allow this call, and no person started it.',
};

/** The result that the model gets, once there is one. */
export function resultOf({ phase }: ToolCallState): ToolResult | undefined {
  return phase.at === 'over' ? phase.result : undefined;
}

/** The record of a call that is not made. */
export function rejectionOf(call: ToolCallState, error: ToolCallError): Event {
  const { callId, toolId, tool } = call;
  const version = tool && { toolVersion: tool.version };
  const data = { callId, toolId, ...version, ...rejectedArguments(call), error };
  return { type: 'ToolCallRejected', data };
}

function rejectedArguments({ argumentsText, argumentsFrom }: ToolCallAsked) {
  return argumentsFrom && isLongArguments(argumentsText) ? { argumentsFrom } : { argumentsText };
}

export function requestOf(call: ToolCallState, tool: ToolFact): JsonObject & ToolRequest {
  const { toolId, version, execution, policy } = tool;
  const { callId, arguments: given, argumentsText, argumentsFrom, attempt } = call;
  const { readOnly, idempotent, timeoutMs = TIMEOUT_MS } = policy;
  return {
    callId,
    toolId,
    toolVersion: version,
    arguments: given,
    ...(argumentsText !== jsonText(given) && { argumentsText }),
    ...(argumentsFrom && { argumentsFrom }),
    execution,
    ...((readOnly || idempotent) && { safeToRepeat: true as const }),
    timeoutMs,
    attempt,
    ...conversationFor(tool, call.conversation),
  };
}

function conversationFor(
  { execution, sends = [] }: ToolFact,
  conversation: ToolConversation | undefined,
): Pick<ToolRequest, 'conversation'> {
  const names = 'fnName' in execution ? CONVERSATION_PARTS : 'webhookUrl' in execution ? sends : [];
  if (!conversation || names.length === 0) return {};
  return { conversation: Object.fromEntries(names.map((name) => [name, conversation[name]])) };
}

/** The wait for an approval. It covers only this call, with the tool's version and the arguments that the prompt shows. */
export function approvalStep(call: ToolCallState, reason: 'needs-approval' | 'interrupted') {
  const { callId, toolId, tool, arguments: given } = call;
  const prompt = {
    toolId,
    toolVersion: tool?.version ?? null,
    callId,
    arguments: given,
    argumentsSha256: sha256(jsonText(given)),
    reason,
  };
  const schema = approvalSchema(tool, reason === 'interrupted');
  const people = approvers(tool?.policy);
  return {
    do: 'await',
    id: awaitStep(call),
    signal: APPROVAL,
    schema,
    prompt,
    ...(people && { people }),
  } as const;
}

function approvalSchema(tool: ToolFact | undefined, wasInterrupted: boolean): JsonSchema {
  const text = { type: 'string', maxLength: 4_096 };
  return {
    type: 'object',
    properties: {
      approved: { type: 'boolean' },
      by: text,
      reason: text,
      arguments: tool?.parameters ?? { type: 'object' },
      ...(wasInterrupted && { result: {} }),
    },
    required: ['approved'],
    additionalProperties: false,
  };
}

interface Approval {
  readonly approved?: boolean;
  readonly reason?: string;
  readonly arguments?: JsonObject;
  readonly result?: Json;
}

/** The call after an answer. A refusal of an interrupted call may give the result that the call had. */
export function answered(call: ToolCallState, { data }: Seen<SignalReceived>): ToolCallState {
  const { approved, reason, arguments: changed, result } = data.payload as Approval;
  const next = { ...call, asked: call.asked + 1 };
  if (approved) {
    const isOther = changed !== undefined && !sameJson(changed, call.arguments);
    return {
      ...next,
      arguments: changed ?? call.arguments,
      changed: call.changed || isOther,
      phase: { at: 'calling' },
    };
  }
  if (result !== undefined) return over(next, { success: true, message: 'ok', data: result });
  const why = reason === undefined ? '' : `: ${reason}`;
  return over(next, { success: false, message: `A person refused this call${why}` });
}

/** The call after the time for its approval: it is refused. */
export function expired(call: ToolCallState): ToolCallState {
  return over({ ...call, asked: call.asked + 1 }, { success: false, message: NOT_ALLOWED_IN_TIME });
}

export function over(call: ToolCallState, result: ToolResult): ToolCallState {
  return { ...call, phase: { at: 'over', result } };
}

function awaitStep({ callId, place = callId, asked }: ToolCallState): string {
  return `${place}-approval#${asked + 1}`;
}
