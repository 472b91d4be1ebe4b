import type { ToolCallCompleted, ToolResult } from '#lib/call-rules';
import { type Json, type JsonObject, jsonText } from '#lib/kernel';
import {
  attempts,
  called,
  type Closed,
  delayBefore,
  done,
  frozen,
  helper,
  here,
  type Named,
  NotDerived,
  peopleAwaited,
  type Place,
  type Script,
  type Seen,
  type SignalReceived,
  StepFailed,
  type Steps,
  type Tried,
  UnitAllowance,
  used,
} from '#lib/workflow';
import { callAt } from './call-at.rules.js';
import { approvers } from './needs-approval.rules.js';
import type { ToolCallError, ToolFact } from './tool-arguments.rules.js';
import {
  answered,
  approvalStep,
  beginToolCall,
  expired,
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
    const over = yield* toolCalled(call);
    const result = resultOf(over);
    if (result?.success) return frozen(result.data ?? null) as Data;
    const message = result?.message ?? '';
    throw over.failed ?? new StepFailed({ kind: kindOf(call), message, retryable: false }, at.place);
  };
  return helper(callTool, begin, toolId);
}

/** The version of names of calls in which they are UUIDs. */
const NAMED_BY_UUID = 2;

function toolIn(place: Place, toolId: string): ToolFact {
  const { tools } = place.start.data.facts as object as { readonly tools?: readonly ToolFact[] };
  const found = tools?.find((one) => one.toolId === toolId);
  return used(place, found, 'calls the tool', toolId);
}

/** Of a call that was not made. */
function kindOf({ phase }: ToolCallState): string {
  return phase.at === 'rejecting' ? phase.error.kind : 'refused';
}

/** A call that is over. */
export interface ToolCalled extends ToolCallState {
  /** Of the last attempt, if one was made. */
  readonly last?: Closed;
  /** Of the last attempt, if that is the result. */
  readonly failed?: StepFailed;
}

/**
 * One call of a tool: approved, made, tried again, until there is a result.
 * @param begun the call with its arguments checked
 * @param turn waits until the call may be made: it is asked when nothing else is missing
 * @throws NotDerived
 */
export function* toolCalled(begun: ToolCallState, turn: () => Script<void> = atOnce): Steps<ToolCalled> {
  const { phase, tool } = begun;
  if (phase.at === 'rejecting') return yield* rejected(begun, phase.error);
  const call = phase.at === 'asking' ? yield* approved(begun, 'needs-approval') : begun;
  if (resultOf(call)) return call;
  yield* turn();
  if (phase.at === 'not-derived') throw new NotDerived(phase.unit);
  return yield* made(call, tool as ToolFact);
}

function* atOnce(): Steps<void> {}

function* rejected(call: ToolCallState, error: ToolCallError): Steps<ToolCallState> {
  yield* done({ do: 'record', event: rejectionOf(call, error) });
  return over(call, { success: false, message: error.message });
}

function* approved(call: ToolCallState, reason: 'needs-approval' | 'interrupted'): Steps<ToolCallState> {
  const closed = yield* peopleAwaited(approvalStep(call, reason), approvers(call.tool?.policy));
  return closed ? answered(call, closed.event as Seen<SignalReceived>) : expired(call);
}

/** It is not known whether an interrupted call was made: if it is not safe to repeat, a person decides. */
function* made(begun: ToolCallState, tool: ToolFact): Steps<ToolCalled> {
  const { callId, place = callId } = begun;
  const { maxAttempts = 1 } = tool.policy;
  let call = begun;
  const known: { last?: Closed } = {};
  const tried = yield* attempts<ToolResult, StepFailed>({
    *call(attempt) {
      call = { ...call, attempt };
      const outcome = yield* called({
        id: `${place}#${attempt}`,
        activity: 'tool',
        input: requestOf(call, tool),
      });
      known.last = outcome.last;
      return resultIn(outcome);
    },
    pauses: {
      // Also for no time at all: a timer is in the histories of 0.2.
      after: (failures, { retryable, retryAfterMs }) =>
        retryable && failures < maxAttempts ? delayBefore(failures + 1, retryAfterMs) : 'never',
      id: (attempt) => `${place}-retry#${attempt}`,
    },
    *unsafe() {
      call = yield* approved(call, 'interrupted');
      const value = resultOf(call);
      return value ? { value } : { again: true };
    },
  });
  if ('value' in tried) return { ...over(call, tried.value), ...known };
  const { failed } = tried;
  return { ...over(call, { success: false, message: failed.message }), ...known, failed };
}

function resultIn(tried: Tried<Closed, StepFailed>): Tried<ToolResult, StepFailed> {
  return 'failed' in tried
    ? { failed: tried.failed }
    : { value: (tried.value.event.data as ToolCallCompleted['data']).result };
}
