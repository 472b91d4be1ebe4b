import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { StoreUnavailable } from '#lib/event-store';
import { createTables } from '../store/create-tables.js';
import { insertRow, insertRows } from '../store/row-changes.js';
import { ChangeRefused, type ReadStore } from '../store/read-store.js';
import { asCondition, statement } from '../store/statement.js';
import { recordOf, type SchemaOf, table } from '../store/table.js';
import { proposalsTable } from '../decisions/decisions.tables.js';

const notesTable = table('notes_v1', { note_id: 'text', stream: 'text' }, ['note_id']);
type Notes = SchemaOf<typeof notesTable>;

const addNote = insertRow(notesTable);
const addNotes = insertRows(notesTable, false);
const addNotesOnce = insertRows(notesTable, true);
const addProposal = insertRow(proposalsTable);
const setStream = statement({ from: 'text', to: 'text' }, (db, { from, to }) =>
  db.withTables<Notes>().updateTable('notes_v1').set({ stream: to }).where('stream', '=', from),
);
const note = (noteId: string, stream = 's') => addNote({ noteId, stream });

const proposal = {
  proposalId: 'p',
  sessionId: 's',
  roundId: 'r',
  specialistId: 'x',
  specialistVersion: 1,
  isHuman: true,
  transitionName: 'Größe “naïve” 漢字 🙂\n \ud800',
  toState: '',
  reasoning: 'x'.repeat(300_000),
  metaJson: { text: '\0' },
  costUSD: 0.1,
  latencyMsec: 1e300,
  numInputTokens: 0,
  status: 'open',
  createdAt: '+275760-09-13T00:00:00.000Z',
} as const;

/**
 * The guarantees of every adapter of the read store. `open` gives a store on a new place for each test. With `places` it gives
 * the same place again within one test, and several stores may be open on it.
 */
export function describeReadStoreContract(
  name: string,
  makePlace: () => { readonly open: () => Promise<ReadStore>; readonly cleanup: () => Promise<void> | void },
  capabilities: readonly 'places'[] = [],
): void {
  describe(`read store contract: ${name}`, () => {
    let place: ReturnType<typeof makePlace>;
    let opened: ReadStore[];
    const open = async () => {
      const store = await place.open();
      opened.push(store);
      return store;
    };
    const openReady = async () => {
      const store = await open();
      await store.write(createTables([notesTable, proposalsTable]));
      return store;
    };
    const idsIn = async ({ db }: ReadStore) => {
      const rows = await db
        .withTables<Notes>()
        .selectFrom('notes_v1')
        .select('note_id')
        .orderBy('note_id')
        .execute();
      return rows.map((row) => row.note_id);
    };

    beforeEach(() => {
      place = makePlace();
      opened = [];
    });
    afterEach(async () => {
      for (const store of opened) await store.close();
      await place.cleanup();
    });

    it('makes tables once, however often it is asked', async () => {
      const store = await openReady();
      await store.write([note('a')]);
      expect(await store.write(createTables([notesTable, proposalsTable]))).toBe(true);
      expect(await idsIn(store)).toEqual(['a']);
    });

    it('gives back every record as it was written', async () => {
      const store = await openReady();
      await store.write([addProposal({ ...proposal, number: 2 ** 40 })]);
      const [row] = await store.db.selectFrom(proposalsTable.name).selectAll().execute();
      expect(row).toMatchObject({ is_human: 1, num_output_tokens: null, number: 2 ** 40 });
      expect(row && recordOf(proposalsTable, row)).toStrictEqual(proposal);
    });

    it('keeps all changes of a write, in their order', async () => {
      const store = await openReady();
      expect(await store.write([note('a', 'x'), setStream({ from: 'x', to: 'y' })])).toBe(true);
      const rows = await store.db.withTables<Notes>().selectFrom('notes_v1').select('stream').execute();
      expect(rows).toEqual([{ stream: 'y' }]);
    });

    it('makes a change alone, and says whether its condition changed a row', async () => {
      const store = await openReady();
      const condition = asCondition(setStream({ from: 'nowhere', to: 'y' }));
      expect(await store.write([condition])).toBe(false);
      expect(await store.write([setStream({ from: 'nowhere', to: 'y' })])).toBe(true);
      expect(await store.write([note('a', 'nowhere')])).toBe(true);
      expect(await store.write([condition])).toBe(true);
      expect(await store.write([condition])).toBe(false);
      await expect(store.write([note('a')])).rejects.toThrow(ChangeRefused);
      expect(await idsIn(store)).toEqual(['a']);
    });

    it('keeps nothing of a write whose condition changes no row', async () => {
      const store = await openReady();
      const condition = asCondition(setStream({ from: 'nowhere', to: 'y' }));
      expect(await store.write([note('a'), condition, note('b')])).toBe(false);
      expect(await idsIn(store)).toEqual([]);
      expect(await store.write([note('a', 'nowhere'), condition])).toBe(true);
    });

    it('keeps nothing of a write that a table refuses, and takes the next one', async () => {
      const store = await openReady();
      await expect(store.write([note('a'), note('b'), note('a')])).rejects.toThrow(ChangeRefused);
      expect(await idsIn(store)).toEqual([]);
      expect(await store.write([note('a')])).toBe(true);
    });

    it('keeps each of several writes at once, or nothing of it', async () => {
      const store = await openReady();
      const nowhere = asCondition(setStream({ from: 'nowhere', to: 'y' }));
      const outcomes = await Promise.allSettled([
        store.write([note('a')]),
        store.write([note('b'), nowhere]),
        store.write([note('c'), note('c')]),
        store.write([note('d')]),
      ]);
      const [a, b, c, d] = outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason));
      expect([a, b, d]).toEqual([true, false, true]);
      expect(c).toBeInstanceOf(ChangeRefused);
      expect(await idsIn(store)).toEqual(['a', 'd']);
    });

    it.each([1, 3, 64, 100, 129])('adds %i rows, several with a statement', async (count) => {
      const store = await openReady();
      const rows = Array.from({ length: count }, (_, n) => ({ noteId: `n${1000 + n}`, stream: 's' }));
      const added = addNotes(rows);
      expect([addNotes([]).length, added.length < 6]).toEqual([0, true]);
      await store.write(added);
      expect(await idsIn(store)).toEqual(rows.map(({ noteId }) => noteId));
      await store.write(addNotesOnce([...rows, { noteId: 'z', stream: 's' }]));
      expect(await idsIn(store)).toEqual([...rows.map(({ noteId }) => noteId), 'z']);
      await expect(store.write(added)).rejects.toThrow(ChangeRefused);
    });

    it('shows a write whole or not at all', async () => {
      const store = await openReady();
      const count = async () => (await idsIn(store)).length;
      const many = Array.from({ length: 5_000 }, (_, n) => note(`n${n}`));
      const kept = store.write(many).then(() => 'kept');
      const seen = new Set<number>();
      while ((await Promise.race([kept, setImmediate('looking')])) !== 'kept') seen.add(await count());
      expect([...seen, await count()].filter((length) => length % 5_000 !== 0)).toEqual([]);
    });

    it('refuses a change without a value for one of its columns', async () => {
      const store = await openReady();
      const spoilt = setStream({ from: 'a', to: 'b' });
      await expect(store.write([{ ...spoilt, values: { from: 'a' } }])).rejects.toThrow('no value for to');
    });

    it('orders positions of one log as text', async () => {
      const store = await openReady();
      const positions = [10, 9, 100, 1].map((n) => `a-log.${String(n).padStart(20, '0')}`);
      await store.write(positions.map((position) => note(position)));
      expect(await idsIn(store)).toEqual(positions.toSorted());
    });

    it('reads a member of JSON text beside one that holds what no text of a database can', async () => {
      const store = await openReady();
      const message = 'a\0b \ud83d \\u0000 \\\ud800 \\';
      await store.write([note('a', JSON.stringify({ message, kind: 'a\\\\u0000 "kind" 🙂' }))]);
      const kind = sql.raw<string>(store.words.text('stream', 'kind')).as('kind');
      const rows = await store.db.withTables<Notes>().selectFrom('notes_v1').select(kind).execute();
      expect(rows).toEqual([{ kind: 'a\\\\u0000 "kind" 🙂' }]);
    });

    it('announces a write to those who wait', async () => {
      const store = await openReady();
      const waiting = store.arrivals.after(store.arrivals.count, new AbortController().signal);
      await store.write([note('a')]);
      await expect(waiting).resolves.toBeUndefined();
    });

    if (capabilities.includes('places')) {
      it('keeps rows when it is closed and opened again', async () => {
        const store = await openReady();
        await store.write([note('a')]);
        await store.close();
        expect(await idsIn(await open())).toEqual(['a']);
      });

      it('shows rows that another store on the same place has written', async () => {
        const [one, other] = [await openReady(), await open()];
        await one.write([note('a')]);
        expect(await idsIn(other)).toEqual(['a']);
      });

      it('lets one of two writers meet a condition that both would change', async () => {
        const [one, other] = [await openReady(), await open()];
        await one.write([note('a', 'free')]);
        const writers = [one, other, one, other];
        const won = await Promise.all(
          writers.map((store, n) =>
            store.write([asCondition(setStream({ from: 'free', to: `taken-${n}` }))]),
          ),
        );
        expect(won.filter(Boolean)).toHaveLength(1);
      });
    }

    it('says that it is closed', async () => {
      const store = await openReady();
      await store.close();
      await store.close();
      await expect(store.write([note('a')])).rejects.toThrow(StoreUnavailable);
      await expect(idsIn(store)).rejects.toThrow(StoreUnavailable);
    });
  });
}
