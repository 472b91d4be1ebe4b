import type { HistoryHead } from './history-lines.js';
import type { HistoryPart } from './read-history.js';

/** The bytes of a line in the file. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** The places of the lines of a history file: 16 bytes for each event, and a map of its blobs. */
export class HistoryIndex {
  readonly #places = new Places();
  /** The keys of subjects, in base64. */
  readonly keys = new Map<string, string>();
  readonly #blobs = new Map<string, Place>();
  readonly #streams: ReadonlyMap<string, number[]>;
  /** The checksum of the file: its log id. */
  #sum = '';

  private constructor(readonly head: HistoryHead) {
    this.#streams = new Map(head.streams.map(({ stream }) => [stream, []]));
  }

  /** @throws HistoryBroken */
  static async of(parts: AsyncIterable<HistoryPart>): Promise<HistoryIndex> {
    let index: HistoryIndex | undefined;
    for await (const part of parts) {
      if (part.is === 'head') index = new HistoryIndex(part.head);
      else if (index) index.#take(part);
    }
    if (!index) throw new TypeError('A history that was read has a first line.');
    return index;
  }

  get sum(): string {
    return this.#sum;
  }

  /** The number of events. */
  get length(): number {
    return this.#places.length;
  }

  /** @param event its index in the file, from 0 */
  at(event: number): Place {
    return this.#places.at(event);
  }

  /** The indexes of the events of a stream, in order. */
  eventsOf(stream: string): readonly number[] {
    return this.#streams.get(stream) ?? [];
  }

  blob(sha256: string): Place | undefined {
    return this.#blobs.get(sha256);
  }

  #take(part: Exclude<HistoryPart, { is: 'head' }>): void {
    const { offset, length } = part;
    if (part.is === 'end') this.#sum = part.sha256;
    else if (part.is === 'keys') for (const { subject, key } of part.keys) this.keys.set(subject, key);
    else if (part.is === 'blob') this.#blobs.set(part.sha256, { offset, length });
    else {
      this.#streams.get(part.event.stream)?.push(this.#places.length);
      this.#places.push(offset, length);
    }
  }
}

/** Offsets and lengths as plain numbers: a list of objects would take ten times the memory. */
class Places {
  #numbers = new Float64Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): Place {
    if (index >= this.#length) throw new RangeError(`There is no event ${index}.`);
    return { offset: this.#numbers[index * 2] ?? 0, length: this.#numbers[index * 2 + 1] ?? 0 };
  }

  push(offset: number, length: number): void {
    const at = this.#length * 2;
    if (at === this.#numbers.length) {
      const wider = new Float64Array(at * 2);
      wider.set(this.#numbers);
      this.#numbers = wider;
    }
    this.#numbers.set([offset, length], at);
    this.#length += 1;
  }
}
