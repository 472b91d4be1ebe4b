import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EngineSettings } from '#lib/engine/core';
import { printLines, settingsFor, type Sink } from '../../cli/src/index.js';
import { replayFromLog } from './replay-from-log.js';
import { tamperWith } from './tamper-with.js';
import { Database } from '#lib/event-store-sqlite';

/** Copies the log, changes one event in the copy, and replays the copy: the log itself is not touched. */
export async function replayTamperedCopy({ logFile }: EngineSettings, out: Sink): Promise<void> {
  const folder = join(dirname(logFile), 'tampered-copy');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const copy = settingsFor(folder);
  await copyLog(logFile, copy.logFile);
  printLines(out, [tamperWith(copy.logFile)]);
  await replayFromLog(copy, out);
}

/** By SQLite's own backup: a part of a log may be in its -wal file. */
async function copyLog(from: string, to: string): Promise<void> {
  const source = new Database(from, { readonly: true });
  try {
    await source.backup(to);
  } finally {
    source.close();
  }
}
