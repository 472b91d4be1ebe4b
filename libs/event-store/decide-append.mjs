/** @import { ExpectedRevision } from './event-store.js' */

/**
 * The stream as the rule needs it. `revisionOf` returns the last revision of an id, because the stream may hold the id twice.
 *
 * @typedef {object} StreamView
 * @property {number | undefined} lastRevision
 * @property {(revision: number) => string | undefined} idAt
 * @property {(eventId: string) => number | undefined} revisionOf
 */

/**
 * `append`: the events are to be appended from revision `first` on. `stored`: they are stored there already.
 *
 * @typedef {{ readonly kind: 'append' | 'stored', readonly first: number } | { readonly kind: 'conflict' }} AppendDecision
 */

/**
 * The rule by which every adapter of Redial takes an append, the same as EventStoreDB's:
 * a stated revision (or `no-stream`) below the stream's last one is a repeat when the same ids follow it, else a conflict;
 * with `any` and `stream-exists` the first id says whether it is a repeat, and then all others must follow in place.
 *
 * This file is plain JavaScript because worker threads load it too, even when nothing has been compiled.
 * @param {ExpectedRevision} expected
 * @param {readonly string[]} eventIds at least one
 * @param {StreamView} stream
 * @returns {AppendDecision}
 */
export function decideAppend(expected, eventIds, stream) {
  const next = stream.lastRevision === undefined ? 0 : stream.lastRevision + 1;
  const first = firstRevision(expected, eventIds[0] ?? '', next, stream);
  if (first === next) return { kind: 'append', first };
  if (first === undefined || first > next) return { kind: 'conflict' };
  const repeated = eventIds.every((id, index) => stream.idAt(first + index) === id);
  return repeated ? { kind: 'stored', first } : { kind: 'conflict' };
}

/**
 * The revision that the first event gets, or has already.
 *
 * @param {ExpectedRevision} expected
 * @param {string} firstId
 * @param {number} next
 * @param {StreamView} stream
 */
function firstRevision(expected, firstId, next, stream) {
  if (expected === 'no-stream') return 0;
  if (typeof expected === 'number') return expected + 1;
  if (expected === 'stream-exists' && next === 0) return undefined;
  return stream.revisionOf(firstId) ?? next;
}
