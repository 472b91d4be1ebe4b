import { RedialError, thrownText } from '#lib/kernel';
import type { StoredEvent } from '#lib/event-store';
import { freeText } from '../store/columns.js';
import type { RecordOf } from '../store/table.js';
import { type Facts, facts, type LoopModels } from './declare.js';
import { foldedTable, ROWS_VERSION } from './folded-table.js';

/** Streams whose rows stand still, each before the event that could not be folded. */
export const standingStillTable = foldedTable(
  'standing_still',
  {
    stream: 'text',
    position: 'text',
    revision: 'integer',
    event_id: 'text',
    type: freeText,
    message: freeText,
    /** The stream that stands still, if the event needs a document of it, or `LOST_KEY`. */
    because: 'text?',
  },
  ['stream'],
);

export type StandingStillTable = typeof standingStillTable;
export type StandsStill = RecordOf<StandingStillTable>;

const standingStill = facts(standingStillTable);

/** The streams that stand still in a loop: beside `rows`, each loop has a table of its own. */
export function standingStillIn({ name, version = ROWS_VERSION }: LoopModels): Facts<StandingStillTable> {
  if (name === 'rows') return standingStill;
  const own = `standing_still_${name}_v${version}` as StandingStillTable['name'];
  return facts({ ...standingStillTable, name: own });
}

/** The cause of a stream whose content cannot be read without the lost key of a subject. It is the name of no stream. */
export const LOST_KEY = 'key';

/** More streams stand still than one bad event or an older store of keys explains: the build is wrong, or the log is damaged. */
class TooManyStandStill extends RedialError {}

const MOST = 1000;
/** A restored store of keys may lack those of many subjects. All streams that stand still are held in memory, about 1 kB each. */
const MOST_WITHOUT_KEY = 100_000;

/** The streams that stand still, by name. */
export class Still {
  readonly #streams = new Map<string, StandsStill>();
  /** Those that lack a key, and those that need a document of one. */
  readonly #withoutKey = new Set<string>();
  /** The streams that stand still since the current page. */
  #added: StandsStill[] = [];

  get count(): number {
    return this.#streams.size;
  }

  /** In the order of their events. */
  get all(): readonly StandsStill[] {
    return [...this.#streams.values()].toSorted(byPosition);
  }

  get added(): readonly StandsStill[] {
    return this.#added;
  }

  /** The reason why an event is skipped: its stream stood still before it. */
  at(stream: string, position: string): StandsStill | undefined {
    const found = this.#streams.get(stream);
    return found && found.position <= position ? found : undefined;
  }

  /** The stream stands still from this event on. @throws TooManyStandStill */
  add({ stream, position, revision, eventId, type }: StoredEvent, error: unknown, because?: string): void {
    // An earlier event of the stream may be refused later: a slice is decoded before it is folded.
    const known = this.#streams.get(stream);
    if (known && known.position <= position) return;
    const message = thrownText(error);
    const added = {
      stream,
      position,
      revision,
      eventId,
      type,
      message,
      ...(because !== undefined && { because }),
    };
    this.#added = [...this.#added.filter((one) => one.stream !== stream), added];
    this.#keep(added);
    const withoutKey = this.#withoutKey.size;
    if (this.count - withoutKey <= MOST && withoutKey <= MOST_WITHOUT_KEY) return;
    throw new TooManyStandStill(
      `the rows of ${this.count} streams stand still`,
      `an event of ${stream} cannot be taken: ${message}`,
      withoutKey > MOST_WITHOUT_KEY
        ? 'Restore the store of keys that belongs to this log'
        : 'Look for damage with `redial log check`, or use the version of Redial that wrote these events',
    );
  }

  #keep(one: StandsStill): void {
    const { stream, because } = one;
    this.#streams.set(stream, one);
    if (because === LOST_KEY || (because !== undefined && this.#withoutKey.has(because)))
      this.#withoutKey.add(stream);
    else this.#withoutKey.delete(stream);
  }

  /** The page at hand is stored. */
  kept(): void {
    this.#added = [];
  }

  /** Drops the streams that the current page added. */
  undone(): void {
    for (const { stream } of this.#added) {
      this.#streams.delete(stream);
      this.#withoutKey.delete(stream);
    }
    this.#added = [];
  }

  /** Takes the stored rows. */
  replace(all: readonly StandsStill[]): void {
    this.#added = [];
    this.#streams.clear();
    this.#withoutKey.clear();
    // A stream stands still before those that need a document of it.
    for (const one of all.toSorted(byPosition)) this.#keep(one);
  }
}

function byPosition(one: StandsStill, other: StandsStill): number {
  return one.position < other.position ? -1 : 1;
}
