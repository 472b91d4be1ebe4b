import type { SessionEvent } from '#lib/decisions/session';
import type { RecordedEvent } from '#lib/kernel';
import { type RuntimeEvent, type SignalAwaited, timedWait } from '#lib/workflow';

type Before = AsyncIterable<RecordedEvent>;

/**
 * The wait for people of a round that is open after these events of its session.
 * @param before the newest first
 * @returns undefined if the round has asked no person, or its wait has expired
 */
export async function openRound(
  before: Before,
  roundId: string,
): Promise<{ readonly clockId?: string } | undefined> {
  let clockId: string | undefined;
  for await (const event of before as AsyncIterable<RecordedEvent<SessionEvent>>) {
    if (event.type === 'TransitionExecuted' || event.type === 'SessionCreated') return undefined;
    if (!('roundId' in event.data) || event.data.roundId !== roundId) continue;
    if (event.type === 'ClockEnded' && !event.data.failure) return undefined;
    if (event.type === 'ClockStarted') clockId ??= event.data.clockId;
    if (event.type !== 'HumanInputRequested') continue;
    const last = clockId ?? event.data.clockId;
    return last === undefined ? {} : { clockId: last };
  }
  return undefined;
}

/**
 * The await that is open at a step after these events of its run.
 * @param before the newest first
 */
export async function openAwait(before: Before, stepId: string): Promise<SignalAwaited['data'] | undefined> {
  for await (const event of before as AsyncIterable<RecordedEvent<RuntimeEvent>>) {
    switch (event.type) {
      case 'SignalAwaited':
        if (event.data.stepId === stepId) return event.data;
        break;
      case 'TimerStarted':
      case 'SignalReceived':
      case 'TimerFired':
      case 'StepCancelled':
        if (event.data.stepId === stepId) return undefined;
        break;
      case 'ChildEnded':
        if (event.data.status === 'completed' && timedWait(event.data.stepId) === stepId) return undefined;
        break;
      case 'RunCancelRequested':
        return undefined;
      default:
    }
  }
  return undefined;
}
