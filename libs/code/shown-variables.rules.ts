import type { SandboxTrace } from '#lib/call-rules';
import { isJsonObject, type Json, type JsonObject, jsonText } from '#lib/kernel';

type Table = readonly (readonly [string, ...Json[]])[];
type Places = readonly number[];
type Members = readonly (readonly [string, number])[];
type Pairs = readonly (readonly [number, number])[];

const MOST_OF_ONE = 262_144;
const MOST_OF_ALL = 1_048_576;
/** The most characters and values that are read for all variables, also for those that are too long to show. */
const MOST_READ = 2 * MOST_OF_ALL;
const MOST_OF_MEMBER = 4_096;
const PREVIEW = 2_000;
const DEEPEST = 32;

/**
 * Variables in the form for readers: dates, maps and the like as JSON, a value inside itself as `[circular]`. A variable over 256 KiB, or over 1 MiB
 * together with those before it, is `{ truncated, bytes, preview }`, where `bytes` is a lower bound of its length. The next program gets the whole
 * variables.
 * @param encoded as a slice of the sandbox gives them
 */
export function shownVariables(encoded: Json | undefined): JsonObject {
  if (!isJsonObject(encoded)) return {};
  const { names = [], table = [] } = encoded as {
    readonly names?: readonly [string, number][];
    readonly table?: Table;
  };
  let left = MOST_OF_ALL;
  let unread = MOST_READ;
  const shown = names.map(([name, index]) => {
    const most = Math.min(MOST_OF_ONE, left);
    const reader = new Reader(table, Math.min(most, unread));
    const value = reader.at(index);
    unread -= Math.min(reader.read, unread);
    const text = jsonText(value);
    const bytes = new TextEncoder().encode(text).length;
    if (reader.isSpent || bytes > most)
      return [
        name,
        { truncated: true, bytes: Math.max(bytes, reader.read), preview: text.slice(0, PREVIEW) },
      ] as const;
    left -= bytes;
    return [name, value] as const;
  });
  return Object.fromEntries(shown);
}

/** A trace in the form for readers: a member whose JSON text is longer than 4,096 characters is `{ truncated, bytes, preview }`. */
export function shownTrace(trace: SandboxTrace): JsonObject {
  return Object.fromEntries(
    Object.entries(trace).map(([name, value]) => {
      const text = jsonText(value);
      if (text.length <= MOST_OF_MEMBER) return [name, value];
      const bytes = new TextEncoder().encode(text).length;
      return [name, { truncated: true, bytes, preview: text.slice(0, PREVIEW) }];
    }),
  );
}

/** Reads one variable as a tree. The table holds a shared value once, but the tree holds it each time, so the tree's size has no bound of its own. */
class Reader {
  /** Characters and values so far: never more than the bytes of the JSON text. */
  read = 0;
  readonly #above = new Set<number>();

  constructor(
    private readonly table: Table,
    private readonly most: number,
  ) {}

  get isSpent(): boolean {
    return this.read > this.most;
  }

  at(index: number): Json {
    this.read += 1;
    if (this.#above.has(index)) return '[circular]';
    if (this.#above.size > DEEPEST) return '[deeper]';
    this.#above.add(index);
    const value = this.#value(...(this.table[index] ?? ['undefined']));
    this.#above.delete(index);
    return value;
  }

  #value(kind: string, first: Json = null, second: Json = null): Json {
    switch (kind) {
      case 'json':
        return typeof first === 'string' ? this.#text(first) : first;
      case 'number':
      case 'bigint':
        return this.#text(textOf(first));
      case 'date':
        return dateText(first);
      case 'regexp':
        return this.#text(`/${textOf(first)}/${textOf(second)}`);
      case 'error':
        return this.#text(`${textOf(first)}: ${textOf(second)}`);
      case 'map':
        return this.#each(first as Pairs, ([key, value]) => [this.at(key), this.at(value)]);
      case 'set':
        return this.#each(first as Places, (one) => this.at(one));
      case 'typed':
        return this.#each(second as Places, (one) => this.at(one));
      case 'array':
        // Without its holes, because one distant element would make it any length.
        return this.#each(second as Members, ([, one]) => this.at(one));
      case 'object':
        return Object.fromEntries(
          this.#each(first as Members, ([key, one]) => [this.#text(key), this.at(one)]),
        );
      default:
        return null;
    }
  }

  #each<Member, Shown>(members: readonly Member[], show: (member: Member) => Shown): Shown[] {
    const shown: Shown[] = [];
    for (const member of members) {
      if (this.isSpent) break;
      shown.push(show(member));
    }
    return shown;
  }

  #text(text: string): string {
    this.read += text.length;
    return this.isSpent ? text.slice(0, PREVIEW) : text;
  }
}

function dateText(time: Json): string {
  const date = new Date(typeof time === 'number' ? time : Number.NaN);
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString();
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}
