import type { Database, Statement } from 'better-sqlite3';
import {
  firstWithin,
  formatPosition,
  sequenceOf,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StoredEvent,
} from '#lib/event-store';
import { findDamage } from './find-damage.mjs';

type Row = Omit<StoredEvent, 'position' | 'stream'> & { readonly sequence: number };
type NamedRow = Row & Pick<StoredEvent, 'stream'>;

const COLUMNS = 'event_id AS eventId, type, data, metadata, revision, position AS sequence';
const OF_STREAM = `SELECT ${COLUMNS} FROM events WHERE stream = (SELECT id FROM streams WHERE name = ?)`;
const LAST_REVISION =
  'SELECT max(revision) FROM events WHERE stream = (SELECT id FROM streams WHERE name = ?)';
/** A cross join keeps the order of its tables: events by position, then the name of the event's stream. */
const NAMED = 'FROM events CROSS JOIN streams ON streams.id = events.stream';
const UNLIMITED = -1;
/** As an expression: SQLite plans a statement again at each binding of a bare `LIMIT ?`, as its plan may depend on the value. */
const LIMIT = 'LIMIT ? + 0';
/** `isBlobStream` as SQL: the part up to the first dash does not end in "blob-". */
const NO_BLOB = "substr(name, 1, instr(name, '-')) NOT GLOB '*blob-'";

/** The reading half of the log. */
export class EventReader {
  readonly #streamForwards: Statement<[string, number, number], Row>;
  readonly #streamBackwards: Statement<[string, number, number], Row>;
  readonly #lastRevision: Statement<[string], number | null>;
  readonly #allForwards: Statement<[number, number], NamedRow>;
  readonly #allBackwards: Statement<[number, number], NamedRow>;
  readonly #lastSequence: Statement<[], number>;
  readonly #dataVersion: Statement<[], number>;

  constructor(
    private readonly db: Database,
    private readonly logId: string,
  ) {
    this.#streamForwards = db.prepare(`${OF_STREAM} AND revision >= ? ORDER BY revision ${LIMIT}`);
    this.#streamBackwards = db.prepare(`${OF_STREAM} AND revision <= ? ORDER BY revision DESC ${LIMIT}`);
    this.#lastRevision = db.prepare<[string], number | null>(LAST_REVISION).pluck();
    const all = `SELECT ${COLUMNS}, name AS stream ${NAMED} WHERE ${NO_BLOB}`;
    this.#allForwards = db.prepare(`${all} AND position > ? ORDER BY position ${LIMIT}`);
    this.#allBackwards = db.prepare(`${all} AND position < ? ORDER BY position DESC ${LIMIT}`);
    this.#lastSequence = db
      .prepare<[], number>(`SELECT position ${NAMED} WHERE ${NO_BLOB} ORDER BY position DESC LIMIT 1`)
      .pluck();
    this.#dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  }

  stream(name: string, { from, direction, limit = UNLIMITED }: ReadStreamOptions): StoredEvent[] {
    const rows =
      direction === 'backwards'
        ? this.#streamBackwards.all(name, from ?? Number.MAX_SAFE_INTEGER, limit)
        : this.#streamForwards.all(name, from ?? 0, limit);
    return rows.map((row) => this.#eventOf(row, name));
  }

  lastRevisions(streams: readonly string[]): (number | undefined)[] {
    return streams.map((name) => this.#lastRevision.get(name) ?? undefined);
  }

  all({ from, direction, limit, bytes }: ReadAllOptions): StoredEvent[] {
    const sequence = from === undefined ? undefined : Number(sequenceOf(this.logId, from));
    const [statement, start] =
      direction === 'backwards'
        ? [this.#allBackwards, sequence ?? Number.MAX_SAFE_INTEGER]
        : [this.#allForwards, sequence ?? 0];
    // Stepping through the rows costs more than taking all of them.
    const rows =
      bytes === undefined
        ? statement.all(start, limit)
        : firstWithin(statement.iterate(start, limit), { limit, bytes });
    return rows.map((row) => this.#eventOf(row, row.stream));
  }

  head(): Position | undefined {
    const sequence = this.#lastSequence.get();
    return sequence === undefined ? undefined : formatPosition(this.logId, sequence);
  }

  /** A number that changes with each commit of another connection, in this process or not. */
  dataVersion(): number {
    return this.#dataVersion.get() as number;
  }

  /** The size of the log in pages, with those that are still in the -wal file. */
  pages(): number {
    return this.db.pragma('page_count', { simple: true }) as number;
  }

  /** The damage in the file; empty for a sound log. */
  findDamage(): readonly string[] {
    return findDamage(this.db);
  }

  close(): void {
    this.db.close();
  }

  #eventOf({ eventId, type, data, metadata, revision, sequence }: Row, stream: string): StoredEvent {
    const position = formatPosition(this.logId, sequence);
    return { eventId, type, data, metadata, stream, revision, position };
  }
}
