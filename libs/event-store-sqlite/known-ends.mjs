/** This many streams take about 10 MB. */
const MOST = 100_000;

/**
 * The end of a stream: its number in the file, and its last revision, `undefined` if it has no event.
 * @typedef {{ readonly id: number, readonly revision: number | undefined }} StreamEnd
 */

/**
 * The ends of streams in the file. `dataVersion` changes with each commit of another connection.
 * @typedef {object} EndsOnFile
 * @property {() => number} dataVersion
 * @property {() => number} lastSequence 0 in an empty log
 * @property {(stream: string) => StreamEnd | undefined} endOf
 */

/** The ends of the log and its streams, kept in memory. Asking the file at each append would take half as long as the append. */
export class KnownEnds {
  /** @type {Map<string, StreamEnd>} */
  #ends = new Map();
  /** @type {number | undefined} */
  #sequence;
  /** @type {number | undefined} */
  #version;
  #file;

  /** @param {EndsOnFile} file */
  constructor(file) {
    this.#file = file;
  }

  /** Called first in every transaction, once no other process can write: forgets the ends if another process has written since the last transaction. */
  refresh() {
    const version = this.#file.dataVersion();
    if (version !== this.#version) this.forget();
    this.#version = version;
  }

  /** The position of the log's last event; 0 in an empty log. */
  lastSequence() {
    this.#sequence ??= this.#file.lastSequence();
    return this.#sequence;
  }

  /** @param {string} stream */
  endOf(stream) {
    const known = this.#ends.get(stream) ?? this.#file.endOf(stream);
    if (known !== undefined) this.#keep(stream, known);
    return known;
  }

  /**
   * Sets the end of the stream, and with it that of the log.
   * @param {string} stream
   * @param {StreamEnd} end
   * @param {number} sequence
   */
  moved(stream, end, sequence) {
    this.#keep(stream, end);
    this.#sequence = sequence;
  }

  /** Called after a rollback, because the ends that were set are not those of the file. */
  forget() {
    this.#ends.clear();
    this.#sequence = undefined;
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
