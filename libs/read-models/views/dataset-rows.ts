import { type RawBuilder, sql } from 'kysely';
import type { ReadStore } from '../store/read-store.js';
import { storedTime } from '../store/stored-values.js';
import type { SqlValue } from '../store/columns.js';
import { type Dataset, type DatasetPart, groupingOf, selectOf } from './dataset.js';

/** The filter of a dataset's rows. */
export interface DatasetFilter {
  /** ISO 8601: at or after this time. */
  readonly from?: string | undefined;
  /** ISO 8601: before this time. */
  readonly to?: string | undefined;
  readonly machineName?: string | undefined;
}

/** Stored values by column. */
export type DatasetRow = Readonly<Record<string, SqlValue>>;

type Source = Pick<ReadStore, 'db' | 'words'>;

const ROWS_OF_PAGE = 1_000;
/** Characters of the JSON in a page. A single row may have more. */
const MOST_PAGE_CHARACTERS = 1024 * 1024;
const DAY_MS = 86_400_000;

/**
 * All rows in order, page by page. Each page is read when it is taken: memory is bounded, however many rows there are and however
 * large their facts. A row that changes meanwhile has its values at the read of its page.
 */
export async function* datasetPages(
  source: Source,
  dataset: Dataset,
  filter: DatasetFilter,
): AsyncGenerator<readonly DatasetRow[]> {
  for (const part of dataset.parts(source.words)) {
    const select = new PartSelect(source, dataset, part, filter);
    yield* part.groupBy ? select.days() : select.pages();
  }
}

class PartSelect {
  readonly #where: RawBuilder<unknown>;

  constructor(
    private readonly source: Source,
    private readonly dataset: Dataset,
    private readonly part: DatasetPart,
    filter: DatasetFilter,
  ) {
    this.#where = conditions(part, filter);
  }

  /** In the order of the key. */
  async *pages(): AsyncGenerator<readonly DatasetRow[]> {
    for (let after: SqlValue | undefined; ;) {
      const keys = await this.#keysAfter(after);
      const last = keys.at(-1);
      if (last === undefined) return;
      const key = sql.raw(this.part.key);
      const until = sql`${key} <= ${last}`;
      const span = after === undefined ? until : sql`${key} > ${after} and ${until}`;
      yield await this.#read(span, sql` order by ${key}`);
      after = last;
    }
  }

  /** Day by day: sums of different days share no row. */
  async *days(): AsyncGenerator<readonly DatasetRow[]> {
    const time = sql.raw(this.part.time);
    for (let from: number | undefined; ;) {
      const day = await this.#firstDay(from);
      if (day === undefined) return;
      from = day + DAY_MS;
      yield await this.#read(sql`${time} >= ${day} and ${time} < ${from}`, sql.raw(groupingOf(this.part)));
    }
  }

  /** The keys of the next rows: as many as fit a page, and at least one. */
  async #keysAfter(after: SqlValue | undefined): Promise<readonly SqlValue[]> {
    const { key, from, where, values } = this.part;
    const json = Object.entries(this.dataset.columns).filter(([, { type }]) => type === 'json');
    const size = json.map(([name]) => `coalesce(length(${values[name]}), 0)`).join(' + ') || '0';
    const select = sql.raw(`select ${key} as key, ${size} as size from ${from} where (${where})`);
    const rest = after === undefined ? sql`1 = 1` : sql`${sql.raw(key)} > ${after}`;
    const { rows } = await sql<{ readonly key: SqlValue; readonly size: number }>`
      ${select} and ${this.#where} and ${rest} order by ${sql.raw(key)} limit ${ROWS_OF_PAGE}`.execute(
      this.source.db,
    );
    let characters = 0;
    const end = rows.findIndex((row, index) => (characters += row.size) > MOST_PAGE_CHARACTERS && index > 0);
    return rows.slice(0, end < 0 ? undefined : end).map((row) => row.key);
  }

  async #firstDay(from: number | undefined): Promise<number | undefined> {
    const { time, from: tables, where } = this.part;
    const select = sql.raw(`select min(${time}) as first from ${tables} where (${where})`);
    const rest = from === undefined ? sql`1 = 1` : sql`${sql.raw(time)} >= ${from}`;
    const { rows } = await sql<{
      readonly first: number | null;
    }>`${select} and ${this.#where} and ${rest}`.execute(this.source.db);
    const first = rows[0]?.first ?? undefined;
    return first === undefined ? undefined : Math.floor(first / DAY_MS) * DAY_MS;
  }

  async #read(span: RawBuilder<unknown>, end: RawBuilder<unknown>): Promise<readonly DatasetRow[]> {
    const select = sql.raw(selectOf(this.dataset, this.part, this.source.words));
    const { rows } = await sql<DatasetRow>`${select} and ${this.#where} and ${span}${end}`.execute(
      this.source.db,
    );
    return rows;
  }
}

function conditions(
  { time, machine }: DatasetPart,
  { from, to, machineName }: DatasetFilter,
): RawBuilder<unknown> {
  return sql.join(
    [
      sql`1 = 1`,
      ...(from === undefined ? [] : [sql`${sql.raw(time)} >= ${storedTime(from)}`]),
      ...(to === undefined ? [] : [sql`${sql.raw(time)} < ${storedTime(to)}`]),
      ...(machineName === undefined || machine === undefined
        ? []
        : [sql`${sql.raw(machine)} = ${machineName}`]),
    ],
    sql` and `,
  );
}
