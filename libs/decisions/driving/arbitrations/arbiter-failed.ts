import { type ErrorAnswer, RedialError } from '#lib/kernel';
import type { ArbitrationFailure } from '#lib/decisions/session';

/** An arbiter was asked and gave no verdict. The reason is in the log; nothing retries by itself. */
export class ArbiterFailed extends RedialError {
  override readonly answer: ErrorAnswer;

  constructor(
    sessionId: string,
    readonly arbitrationId: string,
    readonly failure: ArbitrationFailure,
    /** The position of the event that closed the arbitration. */
    readonly position: string | undefined,
  ) {
    super(
      `the arbiter gave no verdict (arbitration ${arbitrationId})`,
      failure.message,
      `Look at the events of session ${sessionId}, then ask again or decide as a human`,
    );
    const { kind, upstreamStatus } = failure;
    const from = upstreamStatus !== undefined && { upstreamStatus };
    this.answer = { status: 502, code: 'arbiter-failed', kind, ...from, arbitrationId };
  }
}
