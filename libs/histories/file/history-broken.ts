import { type ErrorAnswer, RedialError } from '#lib/kernel';

/** A history file that does not keep the format. Nothing of it is used. */
export class HistoryBroken extends RedialError {
  override readonly answer: ErrorAnswer;

  constructor(
    /** Where the break is noticed, from 1. */
    readonly line: number,
    why: string,
    options?: ErrorOptions,
  ) {
    const fix = 'Export the history again, or take a copy that was not changed';
    super(`the history file is broken at line ${line}`, why, fix, options);
    this.answer = { status: 422, code: 'history-broken', line };
  }
}
