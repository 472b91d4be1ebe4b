import type { Database, Statement } from 'better-sqlite3';
import {
  formatPosition,
  placeOf,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StoredEvent,
} from '#lib/event-store';

type Row = Omit<StoredEvent, 'position'> & { readonly place: number };

const SELECT =
  'SELECT event_id AS eventId, type, data, metadata, stream, revision, position AS place FROM events WHERE';
const UNLIMITED = -1;
/** `isBlobStream` as SQL: what comes up to the first dash does not end in "blob-". */
const NO_BLOB = "substr(stream, 1, instr(stream, '-')) NOT GLOB '*blob-'";

/** The reading half of the log, on a connection of its own that cannot write. */
export class EventReader {
  readonly #streamForwards: Statement<[string, number, number], Row>;
  readonly #streamBackwards: Statement<[string, number, number], Row>;
  readonly #allForwards: Statement<[number, number], Row>;
  readonly #allBackwards: Statement<[number, number], Row>;
  readonly #lastPlace: Statement<[], number>;
  readonly #dataVersion: Statement<[], number>;

  constructor(
    private readonly db: Database,
    private readonly logId: string,
  ) {
    this.#streamForwards = db.prepare(`${SELECT} stream = ? AND revision >= ? ORDER BY revision LIMIT ?`);
    this.#streamBackwards = db.prepare(
      `${SELECT} stream = ? AND revision <= ? ORDER BY revision DESC LIMIT ?`,
    );
    this.#allForwards = db.prepare(`${SELECT} position > ? AND ${NO_BLOB} ORDER BY position LIMIT ?`);
    this.#allBackwards = db.prepare(`${SELECT} position < ? AND ${NO_BLOB} ORDER BY position DESC LIMIT ?`);
    this.#lastPlace = db
      .prepare<[], number>(`SELECT position FROM events WHERE ${NO_BLOB} ORDER BY position DESC LIMIT 1`)
      .pluck();
    this.#dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  }

  stream(name: string, { from, direction, limit = UNLIMITED }: ReadStreamOptions): StoredEvent[] {
    const rows =
      direction === 'backwards'
        ? this.#streamBackwards.all(name, from ?? Number.MAX_SAFE_INTEGER, limit)
        : this.#streamForwards.all(name, from ?? 0, limit);
    return rows.map((row) => this.#eventOf(row));
  }

  all({ from, direction, limit }: ReadAllOptions): StoredEvent[] {
    const place = from === undefined ? undefined : Number(placeOf(this.logId, from));
    const rows =
      direction === 'backwards'
        ? this.#allBackwards.all(place ?? Number.MAX_SAFE_INTEGER, limit)
        : this.#allForwards.all(place ?? 0, limit);
    return rows.map((row) => this.#eventOf(row));
  }

  head(): Position | undefined {
    const place = this.#lastPlace.get();
    return place === undefined ? undefined : formatPosition(this.logId, place);
  }

  /** Another number after each commit of another connection, in this process or not. */
  dataVersion(): number {
    return this.#dataVersion.get() as number;
  }

  close(): void {
    this.db.close();
  }

  #eventOf({ eventId, type, data, metadata, stream, revision, place }: Row): StoredEvent {
    const position = formatPosition(this.logId, place);
    return { eventId, type, data, metadata, stream, revision, position };
  }
}
