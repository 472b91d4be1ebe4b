import type { Kysely } from 'kysely';
import type { ReadSchema } from '../store/read-schema.js';
import type { Change } from '../store/statement.js';
import type { InputOf, Table } from '../store/table.js';
import { FactRows, TotalRows } from './added-rows.js';
import type { DocOf, Documents, Facts, Kind, Page, Ref, SeenDoc, Totals } from './declare.js';
import { DocumentRows } from './document-rows.js';

/** One set of the tables of a loop. There are two: one can be filled while the other is read. */
export type SlotName = 'a' | 'b';

/** The rows of one slot: documents in memory, and the changes of the current page. */
export class Slot implements Page {
  readonly #documents = new Map<Kind, DocumentRows>();
  readonly #facts = new Map<Kind, FactRows>();
  readonly #totals = new Map<Kind, TotalRows>();
  readonly #all: readonly (DocumentRows | FactRows | TotalRows)[];

  constructor(
    readonly name: SlotName,
    private readonly kinds: readonly Kind[],
  ) {
    this.#all = kinds.map((kind) => this.#rowsOf(kind));
  }

  /** In the order of the kinds. */
  get tables(): readonly Table[] {
    return this.#all.map(({ table }) => table);
  }

  /** The names of these tables in queries, in the same order. */
  get views(): readonly string[] {
    return this.kinds.map(({ table }) => table.name);
  }

  see<T extends Table>(kind: Documents<T>, id: string): SeenDoc<T> | undefined {
    return this.#documentsOf(kind).see(id) as SeenDoc<T> | undefined;
  }

  change<T extends Table>(kind: Documents<T>, id: string): DocOf<T> | undefined {
    return this.#documentsOf(kind).change(id) as DocOf<T> | undefined;
  }

  put<T extends Table>(kind: Documents<T>, doc: DocOf<T>): void {
    this.#documentsOf(kind).put(doc);
  }

  drop(kind: Documents, id: string): void {
    this.#documentsOf(kind).drop(id);
  }

  add<T extends Table>(kind: Facts<T>, row: InputOf<T>): void {
    (this.#facts.get(kind) as FactRows).add(row);
  }

  count<T extends Table>(kind: Totals<T>, row: InputOf<T>): void {
    (this.#totals.get(kind) as TotalRows).count(row);
  }

  /** See `DocumentRows.expectNone`. */
  expectNone(kind: Documents, id: string): void {
    this.#documentsOf(kind).expectNone(id);
  }

  /** Loads missing documents, and those that they refer to. @throws StoreUnavailable */
  async load(db: Kysely<ReadSchema>, refs: readonly Ref[]): Promise<void> {
    for (let wanted = refs; wanted.length > 0; wanted = this.#refsOf(wanted)) {
      await this.#loadMissing(db, wanted);
    }
  }

  #refsOf(refs: readonly Ref[]): readonly Ref[] {
    const further: Ref[] = [];
    for (const [kind, id] of refs) {
      const doc = kind.refs && this.#documentsOf(kind).see(id);
      if (doc) further.push(...(kind.refs?.(doc as never) ?? []));
    }
    return further;
  }

  async #loadMissing(db: Kysely<ReadSchema>, refs: readonly Ref[]): Promise<void> {
    const missing = new Map<DocumentRows, Set<string>>();
    for (const [kind, id] of refs) {
      const rows = this.#documentsOf(kind);
      if (rows.isKnown(id)) continue;
      const ids = missing.get(rows) ?? new Set();
      missing.set(rows, ids.add(id));
    }
    for (const [rows, ids] of missing) await rows.load(db, [...ids]);
  }

  /** The changes of the page. @throws ValueMissing */
  changes(): readonly Change[] {
    return this.#all.flatMap((rows) => rows.changes());
  }

  /** The page is stored. */
  kept(): void {
    this.#clear((rows) => rows.kept());
  }

  /** Drops the changes of the page. */
  undone(): void {
    this.#clear((rows) => rows.undone());
  }

  /** Another process has changed the rows. */
  forget(): void {
    this.#clear((rows) => rows.forget());
  }

  #clear(settle: (rows: DocumentRows) => void): void {
    for (const rows of this.#all) {
      if (rows instanceof DocumentRows) settle(rows);
      else rows.clear();
    }
  }

  #documentsOf(kind: Documents): DocumentRows {
    return this.#documents.get(kind) as DocumentRows;
  }

  #rowsOf(kind: Kind): DocumentRows | FactRows | TotalRows {
    if (kind.mode === 'documents') return added(this.#documents, kind, new DocumentRows(kind, this.name));
    if (kind.mode === 'facts') return added(this.#facts, kind, new FactRows(kind, this.name));
    return added(this.#totals, kind, new TotalRows(kind, this.name));
  }
}

function added<Rows>(map: Map<Kind, Rows>, kind: Kind, rows: Rows): Rows {
  map.set(kind, rows);
  return rows;
}
