/** This many ids take about 10 MB. */
const MOST = 100_000;

/**
 * The revisions of event ids in their streams, for appends that state no revision. They are in memory and not in an index of the file: an index by id
 * would dirty one more page of the disk with every event, and few appends ask for an id.
 */
export class KnownIds {
  /** @type {Map<string, { next: number, readonly revisions: Map<string, number> }>} */
  #streams = new Map();
  #count = 0;
  #idsFrom;

  /** @param {(stream: string, revision: number) => string[]} idsFrom the stream's ids from that revision on */
  constructor(idsFrom) {
    this.#idsFrom = idsFrom;
  }

  /**
   * The last revision of the id in the stream. Reads the events that were appended since the last call.
   * @param {string} stream
   * @param {string} eventId
   */
  revisionOf(stream, eventId) {
    const known = this.#streams.get(stream) ?? this.#start(stream);
    for (const id of this.#idsFrom(stream, known.next)) {
      known.revisions.set(id, known.next);
      known.next += 1;
      this.#count += 1;
    }
    return known.revisions.get(eventId);
  }

  /** Called after a rollback, because the events that were read may never have been stored. */
  forget() {
    this.#streams.clear();
    this.#count = 0;
  }

  /** @param {string} stream */
  #start(stream) {
    if (this.#count > MOST) this.forget();
    const known = { next: 0, revisions: new Map() };
    this.#streams.set(stream, known);
    return known;
  }
}
