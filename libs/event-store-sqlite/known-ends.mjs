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

/** Where the log and its streams end, kept in memory: a query of the file for each append takes half as long as the append. */
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

  /** First in every transaction, once no other process can write: takes in what other processes have written since the last transaction. */
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
   * The stream, and with it the log, ends here now.
   * @param {string} stream
   * @param {StreamEnd} end
   * @param {number} sequence
   */
  moved(stream, end, sequence) {
    this.#keep(stream, end);
    this.#sequence = sequence;
  }

  /** After a rollback: the ends that were set are not those of the file. */
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
