/** @import { StreamAppend } from '#lib/event-store' */
/** @import { AppendOutcome, AppendRequest, AppendWorkerData, StoredAppend, ToAppendWorker } from './append-messages.js' */
import { parentPort, workerData } from 'node:worker_threads';
import { connect } from './connect.mjs';
import { KnownEnds } from './known-ends.mjs';
import { KnownIds } from './known-ids.mjs';
import { checkOpened } from './opened-files.mjs';
import { unpackAppends } from './packed-appends.mjs';

// The one writer of this process. It does not run on the main thread, because a slow disk would hold up all other work there.

const { file, logId, opened, decideAppendModule } = /** @type {AppendWorkerData} */ (workerData);
/** @type {typeof import('#lib/event-store')} */
const { decideAppend } = await import(decideAppendModule);

const db = connect(file, { fileMustExist: true });
checkLog();
// A large cache: names of streams are random, so appends touch all parts of their index.
db.pragma('cache_size=-65536');
// 16 MB, four times the usual, so that pages that change repeatedly reach the main file less often.
db.pragma('wal_autocheckpoint=2000');
const begin = db.prepare('BEGIN IMMEDIATE');
const commit = db.prepare('COMMIT');
const rollback = db.prepare('ROLLBACK');
/** A write that changes nothing, but is flushed as every write. */
const writeAnyway = db.prepare('PRAGMA user_version = 0');
const lastSequence = db.prepare('SELECT coalesce(max(position), 0) FROM events').pluck();
const endOf = db.prepare(
  'SELECT id, (SELECT max(revision) FROM events WHERE stream = id) AS revision FROM streams WHERE name = ?',
);
const dataVersion = db.prepare('PRAGMA data_version').pluck();
const OF_STREAM = 'FROM events WHERE stream = (SELECT id FROM streams WHERE name = ?)';
const idAt = db.prepare(`SELECT event_id ${OF_STREAM} AND revision = ?`).pluck();
const sequenceAt = db.prepare(`SELECT position ${OF_STREAM} AND revision = ?`).pluck();
const idsFrom = db.prepare(`SELECT event_id ${OF_STREAM} AND revision >= ? ORDER BY revision`).pluck();
const knownIds = new KnownIds((stream, revision) => /** @type {string[]} */ (idsFrom.all(stream, revision)));
const knownEnds = new KnownEnds({
  dataVersion: () => /** @type {number} */ (dataVersion.get()),
  lastSequence: () => /** @type {number} */ (lastSequence.get()),
  endOf: (stream) => {
    const end = /** @type {{ id: number, revision: number | null } | undefined} */ (endOf.get(stream));
    return end && { id: end.id, revision: end.revision ?? undefined };
  },
});
// FAIL, here and in the triggers: ABORT would keep a journal for each statement, and one row needs none.
const addStream = db.prepare('INSERT OR FAIL INTO streams (name) VALUES (?)');
const insert = db.prepare(
  'INSERT OR FAIL INTO events (position, stream, revision, event_id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
);

parentPort?.on('message', (/** @type {ToAppendWorker} */ message) => {
  if (message !== 'close') {
    parentPort?.postMessage(commitTogether(unpackAppends(message)));
    return;
  }
  db.close();
  parentPort?.close();
});

/** Checks that the file is still the opened log: its events must not be written into another log. */
function checkLog() {
  const found = db.prepare("SELECT value FROM meta WHERE name = 'log_id'").pluck().get();
  if (found === logId) return;
  throw Object.assign(new Error(`log ${String(found)} in place of ${logId}`), { code: 'OTHER_LOG' });
}

/**
 * Makes all waiting requests in one transaction, and so in one flush to the disk, even if all of them repeat stored events. A repeat is acknowledged
 * only if the disk takes writes, and events that another process left without a flush are flushed. A conflict is found before any event of its
 * request is written, so it does not affect the other requests. If the database fails one request, all are rolled back and each is tried alone.
 * @param {readonly AppendRequest[]} requests
 * @returns {readonly AppendOutcome[]}
 */
function commitTogether(requests) {
  let allWritten = false;
  try {
    checkOpened(opened);
    begin.run();
    knownEnds.refresh();
    const before = knownEnds.lastSequence();
    const outcomes = requests.map(appendInOrder);
    const repeated = outcomes.some((outcome) => outcome.kind !== 'failed' && outcome.stored.length > 0);
    allWritten = true;
    if (repeated && knownEnds.lastSequence() === before) writeAnyway.run();
    commit.run();
    return outcomes;
  } catch (error) {
    const oneIsToBlame = db.inTransaction && !allWritten && requests.length > 1;
    if (db.inTransaction) rollback.run();
    knownIds.forget();
    knownEnds.forget();
    return requests.flatMap((request) => (oneIsToBlame ? commitTogether([request]) : [failed(error)]));
  }
}

/**
 * @param {AppendRequest} appends
 * @returns {AppendOutcome}
 */
function appendInOrder(appends) {
  /** @type {StoredAppend[]} */
  const stored = [];
  for (const request of appends) {
    const result = append(request);
    if ('conflict' in result) return { kind: 'conflict', actual: result.actual, stored };
    stored.push(result);
  }
  return { kind: 'stored', stored };
}

/**
 * @param {StreamAppend} append
 * @returns {StoredAppend | { readonly conflict: true, readonly actual: number | undefined }}
 */
function append({ stream, expected, events }) {
  const end = knownEnds.endOf(stream);
  const last = end?.revision;
  const eventIds = events.map((event) => event.eventId);
  const decision = decideAppend(expected, eventIds, {
    lastRevision: last,
    idAt: (revision) => /** @type {string | undefined} */ (idAt.get(stream, revision)),
    revisionOf: (id) => knownIds.revisionOf(stream, id),
  });
  if (decision.kind === 'conflict') return { conflict: true, actual: last };
  const revision = decision.first + events.length - 1;
  if (decision.kind === 'stored') {
    return { revision, sequence: /** @type {number} */ (sequenceAt.get(stream, revision)) };
  }
  const id = end?.id ?? Number(addStream.run(stream).lastInsertRowid);
  const before = knownEnds.lastSequence();
  for (const [index, { eventId, type, data, metadata }] of events.entries()) {
    insert.run(before + 1 + index, id, decision.first + index, eventId, type, data, metadata);
  }
  const sequence = before + events.length;
  knownEnds.moved(stream, { id, revision }, sequence);
  return { revision, sequence };
}

/**
 * @param {unknown} error
 * @returns {AppendOutcome}
 */
function failed(error) {
  const { code = '', message = String(error) } = /** @type {{ code?: string, message?: string }} */ (error);
  return { kind: 'failed', code, message };
}
