import type { Activity, ActivityEvent, Outcome } from './activity/activity.js';
import type { AppendTooLarge } from '#lib/event-store';
import { type RecordedEvent, RedialError, type Rejection } from '#lib/kernel';

/** The process is stopping and starts nothing. */
export class RuntimeStopped extends RedialError {
  override readonly answer = { status: 503, code: 'server-stopping' };
}

export function stopped(what: string): RuntimeStopped {
  return new RuntimeStopped(what, 'this process is stopping', 'Repeat the call when a process runs');
}

/** This process lacks a part that the run needs next. No event of that step was recorded. */
export class CannotPerform extends RedialError {
  override readonly answer = { status: 503, code: 'cannot-perform' };
}

export function cannotPerform(stream: string, { message }: Rejection): CannotPerform {
  return new CannotPerform(`a call of ${stream}`, message, 'Provide it; the next sweep continues the run');
}

/** The outcome of a call whose process is gone. The activity declares whether it may be made again. */
export function interruption(activity: Activity, { data }: RecordedEvent<ActivityEvent>): ActivityEvent {
  const message = 'The process that made the call ended before it knew the outcome.';
  const retryable = activity.isSafeToRepeat(data);
  const failure = { kind: 'interrupted', message, retryable, durationMs: 0 };
  return { type: activity.events.failed, data: { stepId: data.stepId, failure } };
}

/** The outcome in place of one that is too large for the log. */
export function tooLarge({ message }: AppendTooLarge): Outcome {
  return { failed: { failure: { kind: 'too-large', message, retryable: false, durationMs: 0 } } };
}
