import { RedialError } from '#lib/kernel';

/** An arbiter was asked, and this process could not finish the arbitration. The log has the finished steps; recovery continues it. */
export class ArbitrationUnfinished extends RedialError {
  override readonly answer = { status: 503, code: 'arbitration-unfinished' };

  constructor(
    arbitrationId: string,
    /** Of the event that says that the arbiter is being asked. */
    readonly position: string | undefined,
    cause: Error,
  ) {
    const fix =
      'It is finished as soon as that works again: repeat the call under its key, or look at the session';
    super(`arbitration ${arbitrationId} was begun and not finished`, cause.message, fix, { cause });
  }
}
