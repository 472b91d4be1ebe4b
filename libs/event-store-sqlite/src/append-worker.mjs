/** @import { AppendOutcome, AppendRequest, AppendWorkerData, ToAppendWorker } from './append-messages.js' */
import { parentPort, workerData } from 'node:worker_threads';
import { connect } from './connect.mjs';

// The one writer of this process. It runs off the main thread, where a slow disk would hold up everything else.

const { file, decideAppendModule } = /** @type {AppendWorkerData} */ (workerData);
/** @type {typeof import('#lib/event-store')} */
const { decideAppend } = await import(decideAppendModule);

const db = connect(file, { readonly: false });
const begin = db.prepare('BEGIN IMMEDIATE');
const commit = db.prepare('COMMIT');
const savepoint = db.prepare('SAVEPOINT one_append');
const release = db.prepare('RELEASE one_append');
const lastPlace = db.prepare('SELECT coalesce(max(position), 0) FROM events').pluck();
const lastRevision = db.prepare('SELECT max(revision) FROM events WHERE stream = ?').pluck();
const idAt = db.prepare('SELECT event_id FROM events WHERE stream = ? AND revision = ?').pluck();
const placeAt = db.prepare('SELECT position FROM events WHERE stream = ? AND revision = ?').pluck();
const revisionOf = db
  .prepare('SELECT max(revision) FROM events INDEXED BY events_by_id WHERE event_id = ? AND stream = ?')
  .pluck();
const insert = db.prepare(
  'INSERT INTO events (position, stream, revision, event_id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
);

parentPort?.on('message', (/** @type {ToAppendWorker} */ message) => {
  if (message !== 'close') {
    parentPort?.postMessage(commitTogether(message));
    return;
  }
  db.close();
  parentPort?.close();
});
parentPort?.postMessage('ready');

/**
 * One transaction, and so one flush to the disk, for all appends that wait.
 * @param {readonly AppendRequest[]} requests
 * @returns {readonly AppendOutcome[]}
 */
function commitTogether(requests) {
  try {
    begin.run();
    const outcomes = requests.map(appendAlone);
    commit.run();
    return outcomes;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    return requests.map(() => failed(error));
  }
}

/**
 * Within its own savepoint, so that a failure takes nothing from the other appends.
 * @param {AppendRequest} request
 * @returns {AppendOutcome}
 */
function appendAlone(request) {
  savepoint.run();
  try {
    return append(request);
  } catch (error) {
    // Where the disk is full SQLite has rolled the whole transaction back by itself.
    if (!db.inTransaction) throw error;
    db.exec('ROLLBACK TO one_append');
    return failed(error);
  } finally {
    if (db.inTransaction) release.run();
  }
}

/**
 * @param {AppendRequest} request
 * @returns {AppendOutcome}
 */
function append({ stream, expected, events }) {
  const last = /** @type {number | null} */ (lastRevision.get(stream)) ?? undefined;
  const eventIds = events.map((event) => event.eventId);
  const decision = decideAppend(expected, eventIds, {
    lastRevision: last,
    idAt: (revision) => /** @type {string | undefined} */ (idAt.get(stream, revision)),
    revisionOf: (id) => /** @type {number | null} */ (revisionOf.get(id, stream)) ?? undefined,
  });
  if (decision.kind === 'conflict') return { kind: 'conflict', actual: last };
  const revision = decision.first + events.length - 1;
  if (decision.kind === 'stored') {
    return { kind: 'stored', revision, place: /** @type {number} */ (placeAt.get(stream, revision)) };
  }
  const before = /** @type {number} */ (lastPlace.get());
  for (const [index, { eventId, type, data, metadata }] of events.entries()) {
    insert.run(before + 1 + index, stream, decision.first + index, eventId, type, data, metadata);
  }
  return { kind: 'stored', revision, place: before + events.length };
}

/**
 * @param {unknown} error
 * @returns {AppendOutcome}
 */
function failed(error) {
  const { code = '', message = String(error) } = /** @type {{ code?: string, message?: string }} */ (error);
  return { kind: 'failed', code, message };
}
