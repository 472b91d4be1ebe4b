/** The schema version that this build reads and writes. A file with a newer one is refused. */
export const FORMAT_VERSION = 1;

/**
 * The log as a table that a person can read with any SQLite shell. The triggers make the database itself append-only:
 * positions and revisions go up by one, and nothing that is in can be changed or taken out, by no program.
 */
export const SCHEMA = `
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  stream TEXT NOT NULL,
  revision INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  metadata TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);

CREATE TRIGGER events_only_grow BEFORE INSERT ON events
WHEN NEW.position <> (SELECT coalesce(max(position), 0) + 1 FROM events)
  OR NEW.revision <> (SELECT coalesce(max(revision), -1) + 1 FROM events WHERE stream = NEW.stream)
BEGIN
  SELECT RAISE(FAIL, 'events are only appended: the next position and the next revision');
END;

CREATE TRIGGER events_never_change BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'events are never changed');
END;

CREATE TRIGGER events_never_go BEFORE DELETE ON events
BEGIN
  SELECT RAISE(ABORT, 'events are never deleted');
END;
`;
