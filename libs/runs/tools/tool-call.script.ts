import type { ToolCallCompleted, ToolCallFailed, ToolResult } from '#lib/call-rules';
import { type Json, type JsonObject, jsonText } from '#lib/kernel';
import {
  attempts,
  type Closed,
  delayBefore,
  done,
  frozen,
  helper,
  here,
  isForked,
  type Named,
  NotDerived,
  opened,
  peopleAwaited,
  type Place,
  type RunFork,
  type Script,
  type Seen,
  type SignalReceived,
  StepFailed,
  type Steps,
  type Tried,
  UnitAllowance,
  used,
} from '#lib/workflow';
import { callAt, namedIn } from './call-at.rules.js';
import { approvers, isHeld } from './needs-approval.rules.js';
import type { ToolCallError, ToolFact } from './tool-arguments.rules.js';
import {
  answered,
  approvalStep,
  beginToolCall,
  CREATOR_UNKNOWN,
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
    const { runId, start } = place;
    const tool = toolIn(place, toolId);
    const at = callAt({ runId, version: NAMED_BY_UUID }, place.name('tool', id));
    const asked = { ...at, toolId, argumentsText: jsonText(args) };
    const call = beginToolCall(asked, tool, new UnitAllowance('reply', start.data.facts));
    const over = yield* toolCalled(call);
    const result = resultOf(over);
    if (result?.success) return frozen(result.data ?? null) as Data;
    const message = result?.message ?? '';
    throw over.failed ?? new StepFailed({ kind: kindOf(call), message, retryable: false }, at.place);
  };
  return helper(callTool, begin, toolId);
}

/** The first version in which the names of calls are UUIDs. */
const NAMED_BY_UUID = 2;

function toolIn(place: Place, toolId: string): ToolFact {
  const { tools } = place.start.data.facts as object as { readonly tools?: readonly ToolFact[] };
  const found = tools?.find((one) => one.toolId === toolId);
  return used(place, found, 'calls the tool', toolId);
}

/** The kind of failure of a call that was not made. */
function kindOf({ phase }: ToolCallState): string {
  return phase.at === 'rejecting' ? phase.error.kind : 'refused';
}

/** A call that is over. */
interface ToolCalled extends ToolCallState {
  /** The events of the last attempt, if one was made. */
  readonly last?: Closed;
  /** The failure of the last attempt, if it is the result. */
  readonly failed?: StepFailed;
}

/**
 * One call of a tool: approved, made, tried again, until there is a result. A fork with the effects `hold` asks for an approval of its own.
 * @param begun the call with its arguments checked
 * @param turn waits until the call may be made; it begins once the call is approved
 * @throws NotDerived
 */
export function* toolCalled(begun: ToolCallState, turn: () => Script<void> = atOnce): Steps<ToolCalled> {
  const { phase, tool } = begun;
  const fork = yield* forkHere();
  if (phase.at === 'rejecting') return yield* rejected(begun, phase.error);
  const isAsked = phase.at === 'asking' || (phase.at === 'calling' && isHeld(tool?.policy ?? {}, fork));
  if (isAsked && tool?.creatorUnknown) return yield* rejected(begun, CREATOR_UNKNOWN);
  const call = isAsked ? yield* approved(begun, 'needs-approval') : begun;
  const allowed = yield* forkHere();
  if (resultOf(call)) return call;
  yield* turn();
  if (phase.at === 'not-derived') throw new NotDerived(phase.unit);
  return yield* made(call, tool as ToolFact, allowed);
}

function* forkHere(): Steps<RunFork | undefined> {
  return (yield* here()).fork;
}

function* atOnce(): Steps<void> {}

function* rejected(call: ToolCallState, error: ToolCallError): Steps<ToolCallState> {
  yield* done({ do: 'record', event: rejectionOf(call, error) });
  return over(call, { success: false, message: error.message });
}

function* approved(call: ToolCallState, reason: 'needs-approval' | 'interrupted'): Steps<ToolCallState> {
  const place = yield* here();
  const named = () => namedIn(place.runId, call);
  const make = () => approvalStep(named(), reason);
  const closed = yield* peopleAwaited(make(), approvers(call.tool?.policy), make);
  return closed ? answered(named(), closed.event as Seen<SignalReceived>) : expired(named());
}

/**
 * Makes an approved call. It is unknown whether an interrupted call was made: if it is not safe to repeat, a person decides.
 * @param allowed the fork in which the call was allowed. In a later fork it is another call
 */
function* made(begun: ToolCallState, tool: ToolFact, allowed: RunFork | undefined): Steps<ToolCalled> {
  const { callId, place = callId } = begun;
  const { maxAttempts = 1 } = tool.policy;
  let [call, since] = [begun, allowed];
  const known: { last?: Closed } = {};
  const tried = yield* attempts<ToolResult, StepFailed>({
    *call(attempt) {
      for (;;) {
        const { fork, runId } = yield* here();
        if (fork !== since && isHeld(tool.policy, fork)) call = yield* approved(call, 'needs-approval');
        since = yield* forkHere();
        const value = resultOf(call);
        if (value) return { value };
        call = { ...namedIn(runId, call), attempt };
        const input = requestOf(call, tool);
        const last = yield* opened({ do: 'call', id: `${place}#${attempt}`, activity: 'tool', input });
        if (!isForked(last.event)) {
          known.last = last;
          return resultIn(last);
        }
      }
    },
    pauses: {
      // A timer also for a wait of 0 ms, because the histories of 0.2 have one.
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

function resultIn({ event }: Closed): Tried<ToolResult, StepFailed> {
  const { stepId, failure } = event.data as ToolCallFailed['data'];
  if (event.type === 'ToolCallFailed') return { failed: new StepFailed(failure, stepId) };
  return { value: (event.data as ToolCallCompleted['data']).result };
}
