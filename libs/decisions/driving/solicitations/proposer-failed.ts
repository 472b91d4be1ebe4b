import { type ErrorAnswer, RedialError } from '#lib/kernel';
import type { SolicitationFailure } from '#lib/decisions/session';

/** A proposer was asked and gave no proposal. The reason is in the log; nothing retries by itself. */
export class ProposerFailed extends RedialError {
  override readonly answer: ErrorAnswer;

  constructor(
    sessionId: string,
    specialistId: string,
    readonly solicitationId: string,
    readonly failure: SolicitationFailure,
    /** The position of the event that closed the solicitation. */
    readonly position: string,
  ) {
    super(
      `${specialistId} gave no proposal (solicitation ${solicitationId})`,
      failure.message,
      `Look at the events of session ${sessionId}, then ask again or propose by hand`,
    );
    this.answer = { ...answerTo(failure), solicitationId };
  }
}

/** 422 if the proposer's registration is the cause, which the caller can correct; otherwise 502: the cause is outside. */
function answerTo({ kind, upstreamStatus }: SolicitationFailure): ErrorAnswer {
  if (kind === 'template-too-large' || kind === 'budget') return { status: 422, code: kind, kind };
  return {
    status: 502,
    code: 'proposer-failed',
    kind,
    ...(upstreamStatus !== undefined && { upstreamStatus }),
  };
}
