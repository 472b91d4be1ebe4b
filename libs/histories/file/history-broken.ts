import { type ErrorAnswer, RedialError } from '#lib/kernel';

/** A history file breaks the format. No line of it is used. */
export class HistoryBroken extends RedialError {
  override readonly answer: ErrorAnswer;

  constructor(
    /** The line at which the break was found, from 1. */
    readonly line: number,
    why: string,
    options?: ErrorOptions,
  ) {
    const fix = 'Export the history again, or take an unchanged copy';
    super(`the history file is broken at line ${line}`, why, fix, options);
    this.answer = { status: 422, code: 'history-broken', line };
  }
}
