/** @import { EventToStore, ExpectedRevision, StreamAppend } from '#lib/event-store' */
/** @import { AppendRequest } from './append-messages.js' */

/**
 * Requests as one flat list, to be sent between two threads: it takes a third of the time that objects take. For each request: the number of its
 * appends. For each append: stream, expected revision, the number of its events. For each event: id, type, data, metadata.
 * @typedef {readonly (string | number)[]} PackedAppends
 */

/**
 * @param {readonly AppendRequest[]} requests
 * @returns {PackedAppends}
 */
export function packAppends(requests) {
  /** @type {(string | number)[]} */
  const packed = [];
  for (const appends of requests) {
    packed.push(appends.length);
    for (const { stream, expected, events } of appends) {
      packed.push(stream, expected, events.length);
      for (const { eventId, type, data, metadata } of events) packed.push(eventId, type, data, metadata);
    }
  }
  return packed;
}

/**
 * @param {PackedAppends} packed made by `packAppends`
 * @returns {readonly AppendRequest[]}
 */
export function unpackAppends(packed) {
  let next = 0;
  const text = () => /** @type {string} */ (packed[next++]);
  const number = () => /** @type {number} */ (packed[next++]);
  /** @returns {EventToStore} */
  const event = () => ({ eventId: text(), type: text(), data: text(), metadata: text() });
  /** @returns {StreamAppend} */
  const append = () => ({
    stream: text(),
    expected: /** @type {ExpectedRevision} */ (packed[next++]),
    events: Array.from({ length: number() }, event),
  });
  /** @type {AppendRequest[]} */
  const requests = [];
  while (next < packed.length) requests.push(Array.from({ length: number() }, append));
  return requests;
}
