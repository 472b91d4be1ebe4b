/** So many streams take about 10 MB. */
const MOST = 100_000;

/**
 * The end of a stream: its number in the file, and its last revision, `undefined` where it has no event.
 * @typedef {{ readonly id: number, readonly revision: number | undefined }} StreamEnd
 */

/**
 * The ends of streams in the file. `dataVersion` changes with each commit of another connection.
 * @typedef {object} EndsOnFile
 * @property {() => number} dataVersion
 * @property {() => number} lastPlace 0 in an empty log
 * @property {(stream: string) => StreamEnd | undefined} endOf
 */

/** Where the log and its streams end, kept in memory: a query of the file for each append takes half as long as the append. */
export class KnownEnds {
  /** @type {Map<string, StreamEnd>} */
  #ends = new Map();
  /** @type {number | undefined} */
  #place;
  /** @type {number | undefined} */
  #version;
  #file;

  /** @param {EndsOnFile} file */
  constructor(file) {
    this.#file = file;
  }

  /** First in every transaction, once no other process can write: what one has written since the last time counts from here on. */
  refresh() {
    const version = this.#file.dataVersion();
    if (version !== this.#version) this.forget();
    this.#version = version;
  }

  /** Of the log's last event; 0 in an empty log. */
  lastPlace() {
    this.#place ??= this.#file.lastPlace();
    return this.#place;
  }

  /** @param {string} stream */
  endOf(stream) {
    const known = this.#ends.get(stream) ?? this.#file.endOf(stream);
    if (known !== undefined) this.#keep(stream, known);
    return known;
  }

  /**
   * The stream, and with it the log, ends here now.
   * @param {string} stream
   * @param {StreamEnd} end
   * @param {number} place
   */
  moved(stream, end, place) {
    this.#keep(stream, end);
    this.#place = place;
  }

  /** After a rollback: what was written is not there. */
  forget() {
    this.#ends.clear();
    this.#place = undefined;
  }

  /**
   * @param {string} stream
   * @param {StreamEnd} end
   */
  #keep(stream, end) {
    if (this.#ends.size >= MOST) this.#ends.clear();
    this.#ends.set(stream, end);
  }
}
