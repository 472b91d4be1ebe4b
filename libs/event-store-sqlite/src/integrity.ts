import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Position, StoreUnavailable } from '#lib/event-store';
import type { EventReader } from './event-reader.js';

/** Events at the end of a log that are read before it is used: where a crash would have left damage. */
const LAST_EVENTS = 1_000;
const AT_ONCE = 100;
const LONGEST_END_MS = 1_000;
/** 1 MiB: checked in less time than a thread takes to start. */
const SMALL_PAGES = 128;

/** Reads the last events, whatever they hold. @throws what the database says of damaged pages */
export function readLastEvents(reader: EventReader): void {
  let from: Position | undefined;
  for (let read = 0; read < LAST_EVENTS; read += AT_ONCE) {
    const events = reader.all({
      direction: 'backwards',
      limit: AT_ONCE,
      ...(from !== undefined && { from }),
    });
    if (events.length === 0) return;
    from = events.at(-1)?.position;
  }
}

/**
 * The findings of SQLite's `quick_check`, at once for a small log; none for a sound one. Once it settles nothing uses the
 * file, unless SQLite is in the middle of a large one for a second more.
 * @throws AbortError after the signal
 */
export function findDamage(
  file: string,
  reader: EventReader,
  signal: AbortSignal,
): readonly string[] | Promise<readonly string[]> {
  return reader.pages() <= SMALL_PAGES ? reader.quickCheck() : checkInWorker(file, signal);
}

async function checkInWorker(file: string, signal: AbortSignal): Promise<readonly string[]> {
  const module = import.meta.resolve('#lib/event-store-sqlite/src/check-worker.mjs');
  const worker = new Worker(new URL(module), { workerData: { file } });
  worker.unref();
  // `once` throws its error while it waits; after the signal nothing does.
  worker.on('error', () => undefined);
  try {
    const [findings] = (await once(worker, 'message', { signal })) as [readonly string[]];
    return findings;
  } finally {
    await Promise.race([worker.terminate(), setTimeout(LONGEST_END_MS, undefined, { ref: false })]);
  }
}

export function damaged(file: string, findings: readonly string[]): StoreUnavailable {
  const why = `the file is damaged (${findings.slice(0, 3).join('; ')})`;
  const fix =
    'Stop the processes that use it and restore a copy together with its -wal file; nothing is appended to it';
  return new StoreUnavailable(`the event log ${file}`, why, fix);
}
