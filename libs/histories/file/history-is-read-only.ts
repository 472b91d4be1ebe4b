import { RedialError } from '#lib/kernel';

/** A command would change a history file. */
export class HistoryIsReadOnly extends RedialError {
  override readonly answer = { status: 422, code: 'history-is-read-only' };

  constructor(what: string) {
    super(
      `${what} cannot go into a history file`,
      'a history file is read-only',
      'Name a session, run or conversation of a log',
    );
  }
}
