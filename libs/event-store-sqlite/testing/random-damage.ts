import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { Database } from '../database.mjs';

/** Bytes of a page of a log file. */
const PAGE = 8192;

/** A change of a log file that no process has open. */
export interface Damage {
  readonly kind: string;
  /** The place of the damage, for the report of a property. */
  readonly where: unknown;
  apply(file: string): void;
}

/** At least 0 and less than 1: a relative place in a file or a log of any length. */
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const at = (share: number, of: number) => Math.floor(share * of);

function ofBytes(kind: string, where: unknown, change: (bytes: Buffer) => Buffer): Damage {
  return { kind, where, apply: (file) => writeFileSync(file, change(readFileSync(file))) };
}

/** Changes rows as an owner of the file could: the triggers are removed and put back. */
function ofRows(
  kind: string,
  where: unknown,
  change: (db: InstanceType<typeof Database>, events: number) => void,
): Damage {
  return {
    kind,
    where,
    apply: (file) => {
      const db = new Database(file);
      const triggers = db
        .prepare<[], { name: string; sql: string }>(
          "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
        )
        .all();
      for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
      change(db, db.prepare<[], number>('SELECT count(*) FROM events').pluck().get() ?? 0);
      for (const { sql } of triggers) db.exec(sql);
      db.close();
    },
  };
}

const bytes = fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 64 })).map(([share, written]) =>
  ofBytes('bytes overwritten', [share, [...written]], (all) => {
    all.set(written.subarray(0, all.length - at(share, all.length)), at(share, all.length));
    return all;
  }),
);

/** Damage in the cells of one page with an index, or with the names of streams: small parts of a file that most answers depend on. */
const cells = fc
  .tuple(
    fc.constantFrom('events_by_stream', 'sqlite_autoindex_streams_1', 'streams'),
    place,
    fc.integer({ min: 0, max: 255 }),
  )
  .map(([name, share, byte]) => ({
    kind: `byte of ${name}`,
    where: [share, byte],
    apply: (file: string) => {
      const db = new Database(file);
      const root =
        db.prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(name) ??
        1;
      db.close();
      const all = readFileSync(file);
      const page = all.subarray((root - 1) * PAGE, root * PAGE);
      const used = page.readUInt16BE(5) || PAGE;
      page[used + at(share, PAGE - used)] = byte;
      writeFileSync(file, all);
    },
  }));

const cut = place.map((share) => ofBytes('file cut', share, (all) => all.subarray(0, at(share, all.length))));

/** A write that went to another page, or was lost. */
const pages = fc
  .tuple(place, place, fc.constantFrom('exchanged', 'copied', 'emptied'))
  .map(([one, other, how]) =>
    ofBytes(`pages ${how}`, [one, other], (all) => {
      const [from, to] = [one, other].map((share) => at(share, all.length / PAGE) * PAGE) as [number, number];
      const [first, second] = [from, to].map((start) => Buffer.from(all.subarray(start, start + PAGE)));
      if (how === 'emptied') all.fill(0, to, to + PAGE);
      else all.set(first ?? [], to);
      if (how === 'exchanged') all.set(second ?? [], from);
      return all;
    }),
  );

/** Removes rows, but not the last ones: a log without its last events is still a log, and only a seal that is kept elsewhere shows the difference. */
const removed = fc.array(place, { minLength: 1, maxLength: 3 }).map((shares) =>
  ofRows('rows removed', shares, (db, events) => {
    const positions = shares.map((share) => 1 + at(share, events - 1));
    db.exec(`DELETE FROM events WHERE position IN (${positions.join()})`);
  }),
);

/** Exchanges two rows: the whole rows, or only their revisions. */
const exchanged = fc
  .tuple(place, place, fc.constantFrom('position', 'revision'))
  .map(([one, other, column]) =>
    ofRows(`${column}s exchanged`, [one, other], (db, events) => {
      const [first, second] = [one, other].map((share) => 1 + at(share, events)) as [number, number];
      if (column === 'position') {
        db.exec(`UPDATE events SET position = -1 WHERE position = ${first}; UPDATE events SET position = ${first} WHERE position = ${second};
        UPDATE events SET position = ${second} WHERE position = -1`);
        return;
      }
      const revisionAt = db
        .prepare<[number], number>('SELECT revision FROM events WHERE position = ?')
        .pluck();
      const [ofFirst, ofSecond] = [revisionAt.get(first), revisionAt.get(second)];
      db.exec(`DROP INDEX events_by_stream; UPDATE events SET revision = ${ofSecond} WHERE position = ${first};
      UPDATE events SET revision = ${ofFirst} WHERE position = ${second}`);
      remakeIndex(db);
    }),
  );

const moved = fc.tuple(place, fc.integer({ min: 0, max: 9 })).map(([share, stream]) =>
  ofRows('row in another stream', [share, stream], (db, events) => {
    db.exec(
      `DROP INDEX events_by_stream; UPDATE events SET stream = ${stream} WHERE position = ${1 + at(share, events)}`,
    );
    remakeIndex(db);
  }),
);

/** Makes the index again, if the rows allow it. Without it the schema differs. */
function remakeIndex(db: InstanceType<typeof Database>): void {
  try {
    db.exec('CREATE UNIQUE INDEX events_by_stream ON events (stream, revision)');
  } catch {
    // Two events have one revision: the index stays away, and the check reports it.
  }
}

const foreign = fc.constantFrom('empty', 'random', 'database').map((what) => ({
  kind: 'foreign file',
  where: what,
  apply: (file: string) => {
    if (what !== 'database') return writeFileSync(file, what === 'empty' ? '' : randomBytes(3 * PAGE));
    rmSync(file);
    const db = new Database(file);
    db.exec('CREATE TABLE meta (name TEXT, value TEXT); CREATE TABLE events (position INTEGER PRIMARY KEY)');
    db.close();
  },
}));

/** Any damage at any place. */
export const anyDamage: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 6, arbitrary: bytes },
  { weight: 4, arbitrary: cells },
  { weight: 3, arbitrary: pages },
  { weight: 2, arbitrary: cut },
  { weight: 2, arbitrary: removed },
  { weight: 3, arbitrary: exchanged },
  { weight: 2, arbitrary: moved },
  { weight: 1, arbitrary: foreign },
);
