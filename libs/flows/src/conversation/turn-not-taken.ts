import { RedialError } from '#lib/kernel';

/** A turn failed because of what it asked: a model, a function, or their provider. The conversation is as it was before. */
export class TurnNotTaken extends RedialError {
  override readonly answer = { status: 502, code: 'turn-failed' };
}
