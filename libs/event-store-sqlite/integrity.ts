import { fork } from 'node:child_process';
import { type Position, StoreUnavailable } from '#lib/event-store';
import type { EventReader } from './event-reader.js';

/** The number of events at the end of a log that are read before it is used: a crash damages the end of a log. */
const LAST_EVENTS = 1_000;
const AT_ONCE = 100;
/** 1 MiB: a log of this size is checked in less time than a process takes to start. */
const SMALL_PAGES = 128;

/** Reads the last events, of any content. @throws the database's error about damaged pages */
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
 * The damage in the file, found at once for a small log; empty for a sound one. Once it settles, the file is no longer used.
 * @throws AbortError after the signal
 */
export function findDamage(
  file: string,
  reader: EventReader,
  signal: AbortSignal,
): readonly string[] | Promise<readonly string[]> {
  return reader.pages() <= SMALL_PAGES ? reader.findDamage() : checkInProcess(file, signal);
}

async function checkInProcess(file: string, signal: AbortSignal): Promise<readonly string[]> {
  const module = new URL(import.meta.resolve('#lib/event-store-sqlite/check-process.mjs'));
  const child = fork(module, [file], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const gone = new Promise<void>((resolve) => {
    child.on('exit', () => resolve()).on('error', () => resolve());
  });
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      child.on('error', reject);
      child.on('message', (answer: readonly string[] | string) => {
        if (typeof answer === 'string') reject(notChecked(file, answer));
        else resolve(answer);
      });
      // Comes after the message, if there is one.
      child.on('disconnect', () => reject(notChecked(file, 'its process ended without an answer')));
    });
  } finally {
    child.kill('SIGKILL');
    await gone;
  }
}

function notChecked(file: string, why: string): StoreUnavailable {
  const fix =
    'Check that the file can be read, and the limits of memory and of processes; the next start checks it again';
  return new StoreUnavailable(`the check of the event log ${file}`, why, fix);
}

export function damaged(file: string, findings: readonly string[]): StoreUnavailable {
  const why = `the file is damaged (${findings.slice(0, 3).join('; ')})`;
  const fix =
    'Stop the processes that use it and restore a copy together with its -wal file; nothing is appended to it';
  return new StoreUnavailable(`the event log ${file}`, why, fix);
}
