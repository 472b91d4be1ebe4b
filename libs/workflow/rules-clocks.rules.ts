import type { JsonObject, RecordedEvent } from '#lib/kernel';
import { KeptMap } from './kept-map.js';
import { clockStepOf, peopleWait, timedWait, waitTaskId } from './people-wait.rules.js';
import { DUE_TIMES, type RunSteps } from './run.decider.js';
import type { ClockRequested, RuntimeEvent, SignalAwaited } from './runtime.events.js';
import type { Rules, Seen, Step } from './workflow.js';

/** A wait for which an operator has asked for a clock. */
interface ClockedWait {
  /** The number of clocks that were asked for: another one begins if one has failed. */
  readonly count: number;
  /** The clock has ended the wait. */
  readonly isOver?: true;
}

/** The clocks of the waits of rules without a script. The runtime starts and ends them; the rules get only the time-out. */
export interface RulesClocks {
  /** The events that opened the awaits, by step id. */
  readonly opened: KeptMap<Seen<SignalAwaited>>;
  readonly waits: KeptMap<ClockedWait>;
}

const NONE: RulesClocks = { opened: KeptMap.empty(), waits: KeptMap.empty() };

const [SHORTEST_MS, LONGEST_MS] = [1_000, 366 * 86_400_000];

/** `undefined` if the rules start the clocks themselves. */
export function clocksAtStart({ startsClocks }: Rules): RulesClocks | undefined {
  return startsClocks ? undefined : NONE;
}

/**
 * A fork opens its waits again, without the clocks of the run that was forked. A clock whose wait was answered first ends no wait.
 * @param steps before the event
 */
export function afterClock(
  clocks: RulesClocks,
  event: RecordedEvent,
  { open, closed }: Pick<RunSteps, 'open' | 'closed'>,
): RulesClocks {
  const { type, data } = event as RecordedEvent<RuntimeEvent>;
  if (type === 'WorkflowForked') return NONE;
  if (type === 'SignalAwaited' && peopleWait(data))
    return { ...clocks, opened: clocks.opened.with(data.stepId, event as RecordedEvent<SignalAwaited>) };
  if (type === 'ClockRequested') return requested(clocks, data, closed);
  const waitId = type === 'ChildEnded' && data.status === 'completed' ? timedWait(data.stepId) : undefined;
  const wait = waitId === undefined ? undefined : clocks.waits.get(waitId);
  if (waitId === undefined || !wait || !open.has(waitId)) return clocks;
  return { ...clocks, waits: clocks.waits.with(waitId, { ...wait, isOver: true }) };
}

function requested(
  clocks: RulesClocks,
  { stepId }: ClockRequested['data'],
  closed: RunSteps['closed'],
): RulesClocks {
  let count = (clocks.waits.get(stepId)?.count ?? 0) + 1;
  // Clocks that had failed before the fork do not begin again.
  while (closed.has(clockStepOf(stepId, count))) count++;
  return { ...clocks, waits: clocks.waits.with(stepId, { count }) };
}

/** The event as the rules get it: the end of a clock is the time-out of its wait. `undefined` for the other events of clocks. */
export function toldOf<E extends RecordedEvent>(clocks: RulesClocks, event: E): E | Seen | undefined {
  const { type, data } = event as RecordedEvent<RuntimeEvent>;
  if (type === 'ClockRequested') return undefined;
  const stepId = 'stepId' in data ? data.stepId : undefined;
  if (stepId === undefined) return event;
  if (type === 'StepCancelled' && clocks.waits.get(stepId)?.isOver) return undefined;
  const waitId = timedWait(stepId);
  if (waitId === undefined || !clocks.waits.has(waitId)) return event;
  if (type !== 'ChildEnded' || !clocks.waits.get(waitId)?.isOver) return undefined;
  return { type: 'TimerFired', data: { stepId: waitId }, occurredAt: event.occurredAt };
}

/**
 * The steps that begin and end clocks; they come before those of the rules. A clock whose wait has no time-out of its own fails the run, because its
 * rules expect none.
 */
export function clockSteps(clocks: RulesClocks, { open }: RunSteps, runId: string): readonly Step[] {
  return clocks.waits.keys().flatMap((waitId): readonly Step[] => {
    const { count, isOver } = clocks.waits.get(waitId) as ClockedWait;
    const opening = clocks.opened.get(waitId);
    const id = clockStepOf(waitId, count);
    if (!opening) return [];
    if (isOver) return [overOf(opening)];
    if (!open.has(waitId)) return open.has(id) ? [{ do: 'cancel', id }] : [];
    return [{ do: 'child', id, workflow: DUE_TIMES, input: clockInput(opening, runId) }];
  });
}

function overOf({ data: { stepId: id, afterMs } }: Seen<SignalAwaited>): Step {
  const failure = { kind: 'expired', message: 'Nobody has answered in time' };
  return afterMs === undefined ? { do: 'fail', failure } : { do: 'cancel', id };
}

/** The clock replaces the await's own time-out. */
function clockInput({ occurredAt: since, data }: Seen<SignalAwaited>, runId: string): JsonObject {
  const { stepId, afterMs } = data;
  const ms = Math.min(Math.max(afterMs ?? 0, SHORTEST_MS), LONGEST_MS);
  const times = afterMs === undefined ? {} : { expireIn: `PT${ms / 1000}S` };
  return { since, taskId: waitTaskId(runId, stepId), times };
}
