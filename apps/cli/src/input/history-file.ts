import { InvalidInput } from '../error-classes.js';

/** Whether an argument names a history file: no id has this ending. */
export function isHistoryFile(text: string): boolean {
  return text.endsWith('.jsonl');
}

/** For commands that need a log. @throws InvalidInput */
export function refuseHistoryFile(text: string): void {
  if (!isHistoryFile(text)) return;
  throw new InvalidInput(
    `the history file ${text}`,
    'this command changes a log or reads its rows, and a history file cannot be changed',
    'Give an id, or look at the file with redial inspect, replay or regress',
  );
}
