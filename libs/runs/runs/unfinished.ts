import { ConflictNotSettled, StoreUnavailable } from '#lib/event-store';
import { type ErrorAnswer, RedialError } from '#lib/kernel';
import { CannotPerform, RuntimeStopped, WaitsForPerson } from '#lib/workflow';

const OUTAGES = [WaitsForPerson, RuntimeStopped, CannotPerform, StoreUnavailable, ConflictNotSettled];

/** Whether this error leaves a begun workflow open, so that recovery can finish it. */
export function isOutage(error: unknown): error is RedialError {
  return OUTAGES.some((type) => error instanceof type);
}

/** The place that shows the progress of each kind of work. */
const SHOWN_BY = {
  arbitration: 'session',
  evaluation: 'evaluation',
  solicitation: 'session',
  try: 'run',
  turn: 'conversation',
} as const;

/** A call has begun work that this process could not finish. The log has the finished steps; recovery continues it. */
export class Unfinished extends RedialError {
  override readonly answer: ErrorAnswer;

  constructor(
    work: keyof typeof SHOWN_BY,
    id: string,
    cause: Error,
    /** The position of the last event that the call has appended. */
    readonly position?: string | undefined,
  ) {
    const fix = `It is finished as soon as that works again: repeat the call under its key, or look at the ${SHOWN_BY[work]}`;
    super(`${work} ${id} was begun and not finished`, cause.message, fix, { cause });
    this.answer = { status: 503, code: `${work}-unfinished` };
  }
}
