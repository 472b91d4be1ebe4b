import { RedialError } from '#lib/kernel';
import type { Kysely } from 'kysely';
import type { ProjectionFailure } from '../runner/projection-status.js';
import type { ReadSchema } from '../store/read-schema.js';
import { recordOf, type SchemaOf } from '../store/table.js';
import { LOST_KEY, type StandsStill, type StandingStillTable } from './standing-still.js';

/** The rows of a stream stand still before an event that could not be folded: they are old. */
export class StreamStandsStill extends RedialError {
  override readonly answer = { status: 503, code: 'stands-still' };

  constructor({ stream, revision, type, message }: StandsStill) {
    super(
      `the rows of ${stream} stand still before event ${type} at revision ${revision}`,
      message,
      'Read the stream itself, or remove the cause and fill the rows again with `redial projections rebuild`',
    );
  }
}

/** The first event at which any stream stands still. */
export async function firstOf(
  db: Kysely<ReadSchema>,
  table: StandingStillTable,
): Promise<StandsStill | undefined> {
  const row = await rows(db, table).orderBy('position').limit(1).executeTakeFirst();
  return row && recordOf(table, row);
}

/** The row of a stream that stands still; `undefined` for any other stream. */
export async function stillAt(
  db: Kysely<ReadSchema>,
  table: StandingStillTable,
  stream: string,
): Promise<StandsStill | undefined> {
  const row = await rows(db, table).where('stream', '=', stream).executeTakeFirst();
  return row && recordOf(table, row);
}

/** The names of all streams that stand still. */
export async function stillStreams(
  db: Kysely<ReadSchema>,
  table: StandingStillTable,
): Promise<readonly string[]> {
  const all = await rows(db, table).clearSelect().select('stream').execute();
  return all.map(({ stream }) => stream);
}

/** A failure for each stream of a page, and one for all that lack a key, because these may be many. */
export function failuresOf(added: readonly StandsStill[]): readonly ProjectionFailure[] {
  const withoutKey = added.filter(({ because }) => because === LOST_KEY);
  const others = added.filter(({ because }) => because !== LOST_KEY).map((one) => failureOf(one, 1));
  return [...others, ...withoutKey.slice(0, 1).map((first) => failureOf(first, withoutKey.length))];
}

export function failureOf({ because: _, message, ...event }: StandsStill, count: number): ProjectionFailure {
  const streams = count === 1 ? 'A stream stands still' : `${count} streams stand still, the first`;
  return {
    message: `${streams} before event ${event.type} at ${event.stream} revision ${event.revision}: ${message}`,
    ...event,
  };
}

function rows(db: Kysely<ReadSchema>, { name }: StandingStillTable) {
  return db.withTables<SchemaOf<StandingStillTable>>().selectFrom(name).selectAll();
}
