/** @import { EventToStore, ExpectedRevision } from '#lib/event-store' */
/** @import { AppendRequest } from './append-messages.js' */

/**
 * Appends as one flat list, for the way between two threads: so they take a third of the time that objects take.
 * Of each append: stream, expected revision, how many events; of each of its events: id, type, data, metadata.
 * @typedef {readonly (string | number)[]} PackedAppends
 */

/**
 * @param {readonly AppendRequest[]} requests
 * @returns {PackedAppends}
 */
export function packAppends(requests) {
  /** @type {(string | number)[]} */
  const packed = [];
  for (const { stream, expected, events } of requests) {
    packed.push(stream, expected, events.length);
    for (const { eventId, type, data, metadata } of events) packed.push(eventId, type, data, metadata);
  }
  return packed;
}

/**
 * @param {PackedAppends} packed made by `packAppends`
 * @returns {readonly AppendRequest[]}
 */
export function unpackAppends(packed) {
  /** @type {AppendRequest[]} */
  const requests = [];
  let next = 0;
  const text = () => /** @type {string} */ (packed[next++]);
  while (next < packed.length) {
    const stream = text();
    const expected = /** @type {ExpectedRevision} */ (packed[next++]);
    const count = /** @type {number} */ (packed[next++]);
    /** @type {EventToStore[]} */
    const events = [];
    while (events.length < count)
      events.push({ eventId: text(), type: text(), data: text(), metadata: text() });
    requests.push({ stream, expected, events });
  }
  return requests;
}
