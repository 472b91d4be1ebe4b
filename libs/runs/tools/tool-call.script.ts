import type { ToolCallCompleted, ToolResult } from '#lib/call-rules';
import { type Json, type JsonObject, jsonText } from '#lib/kernel';
import {
  attempts,
  called,
  delayBefore,
  done,
  frozen,
  helper,
  here,
  type Named,
  NotDerived,
  type Place,
  type Script,
  type Seen,
  type SignalReceived,
  StepFailed,
  type Steps,
  type Tried,
  UnitAllowance,
} from '#lib/workflow';
import { callAt } from './call-at.rules.js';
import type { ToolFact } from './tool-arguments.rules.js';
import {
  answered,
  approvalStep,
  beginToolCall,
  over,
  rejectionOf,
  requestOf,
  resultOf,
  type ToolCallState,
} from './tool-call.rules.js';

/**
 * Calls a tool that the workflow names in `uses`, and gives the data of its result.
 * @throws StepFailed if the arguments do not fit, a person refuses the call, or it fails
 */
export function callTool<Data = Json>(toolId: string, args: JsonObject, { id }: Named = {}): Script<Data> {
  const begin = function* (): Steps<Data> {
    const place = yield* here();
    const { runId, data } = place.start;
    const tool = toolIn(place, toolId);
    const at = callAt({ runId, version: NAMED_BY_UUID }, place.name('tool', id));
    const asked = { ...at, toolId, argumentsText: jsonText(args) };
    const call = beginToolCall(asked, tool, new UnitAllowance('reply', data.facts));
    const { failed, ...over } = yield* toolCalled(call);
    const result = resultOf(over);
    if (result?.success) return frozen(result.data ?? null) as Data;
    const message = result?.message ?? '';
    throw failed ?? new StepFailed({ kind: kindOf(call), message, retryable: false }, at.place);
  };
  return helper(callTool, begin, toolId);
}

/** The version of names of calls in which they are UUIDs. */
const NAMED_BY_UUID = 2;

function toolIn(place: Place, toolId: string): ToolFact {
  const { tools } = place.start.data.facts as object as { readonly tools?: readonly ToolFact[] };
  const tool = tools?.find((one) => one.toolId === toolId);
  return (
    tool ?? place.broken(`it calls the tool ${jsonText(toolId)}`, 'Name it in `uses`, as one of `tools`')
  );
}

/** Of a call that was not made. */
function kindOf({ phase }: ToolCallState): string {
  return phase.at === 'rejecting' ? phase.error.kind : 'refused';
}

/**
 * One call of a tool: approved, made, tried again, until there is a result. Scripts call tools so; the rules of `planner` and `code` embed
 * `ToolCallState`.
 * @param begun the call with its arguments checked
 * @returns the call once it is over, with the last failure if that is its result
 */
export function* toolCalled(begun: ToolCallState): Steps<ToolCallState & { readonly failed?: StepFailed }> {
  const { phase, tool } = begun;
  if (phase.at === 'not-derived') throw new NotDerived(phase.unit);
  if (phase.at === 'rejecting' || !tool) return yield* rejected(begun);
  const call = phase.at === 'asking' ? yield* approved(begun, phase.reason) : begun;
  return resultOf(call) ? call : yield* made(call, tool);
}

function* rejected(call: ToolCallState): Steps<ToolCallState> {
  const { phase } = call;
  if (phase.at !== 'rejecting') return call;
  yield* done({ do: 'record', event: rejectionOf(call, phase.error) });
  return over(call, { success: false, message: phase.error.message });
}

function* approved(call: ToolCallState, reason: 'needs-approval' | 'interrupted'): Steps<ToolCallState> {
  const { event } = yield* done(approvalStep(call, reason));
  return answered(call, event as Seen<SignalReceived>);
}

/** It is not known whether an interrupted call was made: if it is not safe to repeat, a person decides. */
function* made(
  begun: ToolCallState,
  tool: ToolFact,
): Steps<ToolCallState & { readonly failed?: StepFailed }> {
  const { callId, place = callId } = begun;
  const { maxAttempts = 1 } = tool.policy;
  let call = begun;
  const tried = yield* attempts<ToolResult, StepFailed>({
    *call(attempt) {
      call = { ...call, attempt };
      return resultIn(
        yield* called({ id: `${place}#${attempt}`, activity: 'tool', input: requestOf(call, tool) }),
      );
    },
    pause: (failures, { retryable, retryAfterMs }) =>
      retryable && failures < maxAttempts ? delayBefore(failures + 1, retryAfterMs) : 'never',
    pauseId: (attempt) => `${place}-retry#${attempt}`,
    *unsafe() {
      call = yield* approved(call, 'interrupted');
      const value = resultOf(call);
      return value ? { value } : { again: true };
    },
  });
  if ('value' in tried) return over(call, tried.value);
  const { failed } = tried;
  return { ...over(call, { success: false, message: failed.message }), failed };
}

function resultIn(tried: Tried<Seen, StepFailed>): Tried<ToolResult, StepFailed> {
  return 'failed' in tried ? tried : { value: (tried.value as Seen<ToolCallCompleted>).data.result };
}
