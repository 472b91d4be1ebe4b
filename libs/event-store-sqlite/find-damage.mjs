import { Database } from './database.mjs';
import { SCHEMA } from './schema.mjs';

const MOST_FINDINGS = 20;
/** The last events, whose texts are read as JSON: a crash damages the end of a log. */
const LAST_EVENTS = 1_000;

/** A query that gives no row for a sound log, and the finding that a row means. */
const RULES = [
  {
    sql: 'SELECT count(*) AS events, min(position) AS first, max(position) AS last FROM events HAVING events > 0 AND (first <> 1 OR last <> events)',
    says: 'positions have gaps: $events events, from $first to $last',
  },
  {
    sql: `SELECT stream, count(*) AS events, count(DISTINCT revision) AS revisions, max(revision) AS last FROM events NOT INDEXED
      GROUP BY stream HAVING min(revision) <> 0 OR last + 1 <> events OR revisions <> events LIMIT ${MOST_FINDINGS}`,
    says: 'revisions of stream $stream have a gap or a repeat: $events events, $revisions revisions, up to $last',
  },
  {
    // Read along the index, which has this order, so that nothing is sorted.
    sql: `SELECT stream, revision, position FROM (
        SELECT stream, revision, position, lag(position) OVER (PARTITION BY stream ORDER BY revision) AS before FROM events
      ) WHERE position < before LIMIT ${MOST_FINDINGS}`,
    says: 'the order of stream $stream is not that of the log: revision $revision is at position $position, before the one before it',
  },
  {
    sql: `SELECT position FROM events WHERE stream NOT IN (SELECT id FROM streams) LIMIT ${MOST_FINDINGS}`,
    says: 'the event at position $position belongs to no stream',
  },
];

/**
 * The damage in the file of a log, in words; empty for a sound one. Checks its schema, its pages and indexes (SQLite's `integrity_check`), and the
 * order of its events. Plain JavaScript because the process of the check uses it, even if nothing has been compiled.
 * @param {import('better-sqlite3').Database} db
 * @returns {readonly string[]}
 */
export function findDamage(db) {
  try {
    const ofFile = [...schemaDamage(db), ...integrityCheck(db)];
    // The rules are not checked on a damaged file, because rows from damaged pages prove nothing.
    return ofFile.length > 0 ? ofFile : [...brokenRules(db), ...unreadableEvents(db)];
  } catch (error) {
    // On a badly damaged file the checks themselves fail.
    return [error instanceof Error ? error.message : String(error)];
  }
}

/**
 * Checks the pages, and that each index matches its table. `quick_check` leaves out the indexes, and streams are read along one.
 * @param {import('better-sqlite3').Database} db
 */
function integrityCheck(db) {
  const rows = /** @type {{ integrity_check: string }[]} */ (db.pragma(`integrity_check(${MOST_FINDINGS})`));
  return rows.map(({ integrity_check: finding }) => finding).filter((finding) => finding !== 'ok');
}

/**
 * Differences from the tables, index, view and triggers of a log. Without the triggers, the database takes changes that no log takes.
 * @param {import('better-sqlite3').Database} db
 */
function schemaDamage(db) {
  const sound = new Database(':memory:');
  try {
    sound.exec(SCHEMA);
    const found = new Map(definitions(db).map(({ type, name, sql }) => [`${type} ${name}`, sql]));
    return definitions(sound).flatMap(({ type, name, sql }) => {
      const there = found.get(`${type} ${name}`);
      if (there === sql) return [];
      return [`the ${type} ${name} ${there === undefined ? 'is missing' : 'was changed'}`];
    });
  } finally {
    sound.close();
  }
}

/**
 * @param {import('better-sqlite3').Database} db
 * @returns {{ readonly type: string, readonly name: string, readonly sql: string | null }[]}
 */
function definitions(db) {
  const rows = db.prepare('SELECT type, name, sql FROM sqlite_schema').all();
  return /** @type {{ type: string, name: string, sql: string | null }[]} */ (rows);
}

/** @param {import('better-sqlite3').Database} db */
function brokenRules(db) {
  return RULES.flatMap(({ sql, says }) =>
    db
      .prepare(sql)
      .all()
      .map((row) =>
        says.replaceAll(/\$(\w+)/g, (_, name) => String(/** @type {Record<string, unknown>} */ (row)[name])),
      ),
  );
}

/**
 * Events whose texts are not JSON objects. SQLite reads no text of more than 1,000 levels, which logs of 0.3.0 have if a function gave it. Texts that
 * SQLite does not read are read again here.
 * @param {import('better-sqlite3').Database} db
 */
function unreadableEvents(db) {
  const suspects =
    db.prepare(`SELECT type, revision, (SELECT name FROM streams WHERE id = last.stream) AS name, data, metadata
    FROM (SELECT * FROM events ORDER BY position DESC LIMIT ${LAST_EVENTS}) AS last
    WHERE NOT (${isObjectInSql('data')} AND ${isObjectInSql('metadata')})`);
  const findings = [];
  for (const row of suspects.iterate()) {
    const { type, revision, name, data, metadata } =
      /** @type {{ type: string, revision: number, name: string, data: string, metadata: string }} */ (row);
    const part = isObject(data) ? 'metadata' : 'data';
    if (part === 'metadata' && isObject(metadata)) continue;
    findings.push(`${type} at ${name} revision ${revision}: its ${part} is not a JSON object`);
    if (findings.length === MOST_FINDINGS) break;
  }
  return findings;
}

/** @param {string} column */
function isObjectInSql(column) {
  return `(CASE WHEN json_valid(${column}) THEN json_type(${column}) = 'object' ELSE 0 END)`;
}

/** @param {string} text */
function isObject(text) {
  try {
    const value = /** @type {unknown} */ (JSON.parse(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
