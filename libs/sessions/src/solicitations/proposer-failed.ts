import { RedialError } from '#lib/kernel';
import type { SolicitationFailure } from '#lib/session';

/** A proposer was asked and gave no proposal. The log says what happened; nothing is retried by itself. */
export class ProposerFailed extends RedialError {
  constructor(
    sessionId: string,
    specialistId: string,
    readonly solicitationId: string,
    readonly failure: SolicitationFailure,
    /** Of the event that closed the solicitation. */
    readonly position: string,
  ) {
    super(
      `${specialistId} gave no proposal (solicitation ${solicitationId})`,
      failure.message,
      `Look at the events of session ${sessionId}, then ask again or propose by hand`,
    );
  }
}
