import { RedialError } from '#lib/kernel';

/** A proposer was asked, and this process could not finish the solicitation. The log has the finished steps; recovery continues it. */
export class SolicitationUnfinished extends RedialError {
  override readonly answer = { status: 503, code: 'solicitation-unfinished' };

  constructor(
    solicitationId: string,
    /** Of the event that says that the proposer is being asked. */
    readonly position: string | undefined,
    cause: Error,
  ) {
    const fix =
      'It is finished as soon as that works again: repeat the call under its key, or look at the session';
    super(`solicitation ${solicitationId} was begun and not finished`, cause.message, fix, { cause });
  }
}
