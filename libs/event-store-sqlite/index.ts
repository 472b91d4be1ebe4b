export { Database } from './database.mjs';
export { makeFile } from './make-file.js';
export { checkOpened, type OpenedFile, openedFile } from './opened-files.mjs';
export { SqliteEventStore } from './sqlite-event-store.js';
export { orUnavailable, unavailable } from './unavailable.js';
export { withLock } from './with-lock.js';
