/** The schema version that this build reads and writes. A file with another one is refused. */
export const FORMAT_VERSION = 2;

/**
 * The log as tables that a person can read with any SQLite shell; the view `log` shows events with the names of their streams. The name of a stream
 * is stored once, not in each event and again in the index. The triggers make the database itself append-only: positions and revisions go up by one,
 * and no program can change or delete stored events.
 */
export const SCHEMA = `
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE streams (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  metadata TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);

CREATE VIEW log AS
SELECT position, name AS stream, revision, event_id, type, data, metadata
FROM events JOIN streams ON streams.id = events.stream;

CREATE TRIGGER streams_only_grow BEFORE INSERT ON streams
WHEN EXISTS (SELECT 1 FROM streams WHERE id = NEW.id OR name = NEW.name)
BEGIN
  SELECT RAISE(FAIL, 'streams are only added');
END;

CREATE TRIGGER streams_never_change BEFORE UPDATE ON streams
BEGIN
  SELECT RAISE(ABORT, 'streams are never changed');
END;

CREATE TRIGGER streams_never_go BEFORE DELETE ON streams
BEGIN
  SELECT RAISE(ABORT, 'streams are never deleted');
END;

CREATE TRIGGER events_only_grow BEFORE INSERT ON events
WHEN NEW.position <> (SELECT coalesce(max(position), 0) + 1 FROM events)
  OR NEW.revision <> (SELECT coalesce(max(revision), -1) + 1 FROM events WHERE stream = NEW.stream)
  OR NOT EXISTS (SELECT 1 FROM streams WHERE id = NEW.stream)
BEGIN
  SELECT RAISE(FAIL, 'events are only appended: the next position and the next revision of a stream');
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
