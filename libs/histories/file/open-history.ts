import { ERASED, type EventCodec, EventLog, Keyring, type KeySource, StreamNames } from '#lib/event-store';
import { RedialError, thrownText } from '#lib/kernel';
import { bytesOfFile, bytesOfText, type HistoryBytes } from './history-bytes.js';
import { HistoryFileStore } from './history-file-store.js';
import { HistoryIndex } from './history-index.js';
import type { HistoryHead } from './history-lines.js';
import { readHistory } from './read-history.js';

/** A history file that passed all checks, as a read-only log. */
export interface OpenedHistory {
  readonly head: HistoryHead;
  /** The stream of the root, with the prefix of the log. */
  readonly stream: string;
  readonly log: EventLog;
}

/** The file does not exist, or cannot be read. */
export class NoHistory extends RedialError {
  override readonly answer = { status: 422, code: 'no-history' };
}

/**
 * Opens a history file; `log.store.close()` closes it.
 * @throws NoHistory @throws HistoryBroken
 */
export async function openHistory(path: string, codec: EventCodec): Promise<OpenedHistory> {
  try {
    return await opened(await bytesOfFile(path), codec);
  } catch (error) {
    throw isOfSystem(error) ? unreadableHistory(path, error) : error;
  }
}

/** Opens the text of a history file. @throws HistoryBroken */
export function openHistoryText(text: string, codec: EventCodec): Promise<OpenedHistory> {
  return opened(bytesOfText(text), codec);
}

async function opened(bytes: HistoryBytes, codec: EventCodec): Promise<OpenedHistory> {
  try {
    const index = await HistoryIndex.of(readHistory(bytes.chunks()));
    const names = new StreamNames();
    const store = new HistoryFileStore(bytes, index, names);
    const log = new EventLog(store, codec, names, undefined, new Keyring(keysIn(index)));
    const [first] = index.head.streams;
    return { head: index.head, stream: names.withPrefix(first?.stream ?? ''), log };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

/** A subject without a key in the file reads as erased: the history can be read nonetheless. */
function keysIn({ keys }: HistoryIndex): KeySource {
  const find: KeySource['find'] = async (subject) => {
    const key = keys.get(subject);
    return key === undefined ? ERASED : Buffer.from(key, 'base64');
  };
  return { find };
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** The error for a file that the operating system could not read. */
export function unreadableHistory(path: string, error: unknown): NoHistory {
  const why = thrownText(error);
  return new NoHistory(
    `the history file ${path} cannot be read`,
    why,
    'Name a file that redial history export wrote',
    {
      cause: error,
    },
  );
}
