import { type ErrorAnswer, RedialError } from '#lib/kernel';
import type { TurnFailure } from '../turn/turn-result.js';

/** A turn failed because of what it asked: a model, a function, or their provider. The conversation is as it was before. */
export class TurnNotTaken extends RedialError {
  override readonly answer: ErrorAnswer;

  constructor(
    turnId: string,
    { kind, message, upstreamStatus }: TurnFailure,
    /** Of the event that closed the turn. */
    readonly position: string | undefined,
  ) {
    const fix = 'The conversation is as it was before; the calls of the turn show what came';
    super(`turn ${turnId}`, `${kind}: ${message}`, fix);
    const from = upstreamStatus !== undefined && { upstreamStatus };
    this.answer = { status: 502, code: 'turn-failed', kind, ...from, turnId };
  }
}
