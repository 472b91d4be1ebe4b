import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '#lib/kernel/testing';
import { sha256 } from '#lib/kernel';
import type { EventCodec, EventLog } from '#lib/event-store';
import { WorkflowRegistry } from '#lib/workflow';
import type { Redaction } from '../history-lines.js';
import { findRoot, planHistory } from '../history-plan.js';
import { type OpenedHistory, openHistory } from '../open-history.js';
import { writeHistory } from '../write-history.js';

/** The history file of a session, run or conversation. */
export async function historyFile(
  log: EventLog,
  id: string,
  workflows = new WorkflowRegistry([]),
  redaction: Redaction = 'none',
): Promise<string> {
  const root = await findRoot(log, id, workflows);
  if (!root) throw new Error(`There is no ${id}.`);
  const now = new Date('2026-01-02T03:04:05.678Z');
  const written: string[] = [];
  for await (const line of writeHistory(log, await planHistory(log, root), {
    redaction,
    engine: '0.3.0',
    now,
  }))
    written.push(line);
  return written.join('');
}

/** The path of a file with this text, in a folder of its own. */
export function fileWith(text: string | Uint8Array, name = 'history.jsonl'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

export function opened(text: string, codec: EventCodec): Promise<OpenedHistory> {
  return openHistory(fileWith(text), codec);
}

/** The text of a changed file, with the checksum of its lines. */
export function resummed(lines: readonly string[]): string {
  const body = lines.map((line) => `${line}\n`).join('');
  const events = lines.filter((line) => line.startsWith('{"stream"')).length;
  return `${body}${JSON.stringify({ end: true, events, sha256: sha256(body) })}\n`;
}

/** The lines of a file without the last. */
export function bodyOf(text: string): readonly string[] {
  return text.trimEnd().split('\n').slice(0, -1);
}
