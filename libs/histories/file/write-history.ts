import { createHash } from 'node:crypto';
import type { EventLog, StoredEvent } from '#lib/event-store';
import { jsonText, parseJsonObject, RedialError } from '#lib/kernel';
import type { SealProof } from '#lib/seals/core';
import type { HistoryPlan } from './history-plan.js';
import {
  type BlobLine,
  type EventLine,
  FORMAT,
  type HistoryHead,
  type KeyOfSubject,
  type KeysLine,
  lineText,
  LONGEST_LINE,
  type Redaction,
} from './history-lines.js';
import { inLogOrder } from './in-log-order.js';
import { redactedEvent } from './redact-event.js';

/** A damaged event of the log, which a history file cannot hold. */
export class HistoryNotWritten extends RedialError {
  constructor({ stream, revision }: StoredEvent, why: string) {
    super(
      `the history cannot be written at ${stream} revision ${revision}`,
      why,
      'Look for damage with `redial log check`',
    );
  }
}

export interface WrittenHistory {
  readonly redaction: Redaction;
  /** The version of the engine. */
  readonly engine: string;
  readonly now: Date;
  /** The proof of the history; without it, the file has no seal. */
  readonly seal?: SealProof | undefined;
  /** The keys of its subjects; without them, their content stays encrypted. */
  readonly keys?: readonly KeyOfSubject[];
}

/**
 * The lines of a history file, each with its line end. The log is read while they are taken: memory holds a page of each open
 * stream, and one blob.
 * @throws HistoryNotWritten @throws UndecodableEvent @throws StoreUnavailable
 */
export async function* writeHistory(
  log: EventLog,
  { root, streams }: HistoryPlan,
  { redaction, engine, now, seal, keys = [] }: WrittenHistory,
): AsyncGenerator<string> {
  const sum = createHash('sha256');
  const counted = (line: HistoryHead | KeysLine | BlobLine | EventLine, stored?: StoredEvent) => {
    const text = lineText(line);
    if (stored && text.length * 3 > LONGEST_LINE && Buffer.byteLength(text) > LONGEST_LINE)
      throw new HistoryNotWritten(stored, `it, or a value of it, is longer than ${LONGEST_LINE} bytes`);
    sum.update(text);
    return text;
  };
  const exportedAt = now.toISOString();
  const counts = streams.map(({ stream, events }) => ({ stream, events }));
  const head: HistoryHead = {
    redial: 'history',
    format: FORMAT,
    engine,
    exportedAt,
    log: log.store.logId,
    root,
    streams: counts,
    redaction,
    ...(seal && { seal }),
  };
  yield counted(head);
  if (keys.length > 0 && redaction === 'none') yield counted({ keys });
  const written = new Set<string>();
  let events = 0;
  for await (const stored of inLogOrder(log, streams)) {
    if (redaction === 'none')
      for await (const blob of newBlobs(log, stored, written)) yield counted(blob, stored);
    const line = eventLine(log, stored);
    const texts = { data: stored.data, metadata: stored.metadata };
    yield counted(redaction === 'none' ? line : redactedEvent(log.codec, line, texts), stored);
    events += 1;
  }
  yield lineText({ end: true, events, sha256: sum.digest('hex') });
}

/** The blobs of an event that no earlier event uses. */
async function* newBlobs(log: EventLog, stored: StoredEvent, written: Set<string>) {
  for (const { sha256: blob, pointer } of log.codec.blobsOf(stored)) {
    if (written.has(blob)) continue;
    const text = await log.blobText(blob);
    if (text === undefined)
      throw new HistoryNotWritten(stored, `the blob of ${pointer}, ${blob}, is missing or changed`);
    written.add(blob);
    yield { blob, text };
  }
}

/** @throws HistoryNotWritten if its stored texts are not the compact JSON of their values: a reader could not restore their bytes */
function eventLine(log: EventLog, stored: StoredEvent): EventLine {
  const { revision, eventId, type } = stored;
  const [data, metadata] = [parseJsonObject(stored.data), parseJsonObject(stored.metadata)];
  if (!data || !metadata || jsonText(data) !== stored.data || jsonText(metadata) !== stored.metadata)
    throw new HistoryNotWritten(stored, 'its texts are not compact JSON objects');
  const { occurredAt, schemaVersion = 1 } = metadata;
  if (typeof occurredAt !== 'string' || typeof schemaVersion !== 'number')
    throw new HistoryNotWritten(stored, 'its metadata has no time or no schema version');
  const stream = log.streams.withoutPrefix(stored.stream);
  return { stream, revision, eventId, type, schemaVersion, occurredAt, data, metadata };
}
