export { SqliteEventStore } from './sqlite-event-store.js';
export { orUnavailable, unavailable } from './unavailable.js';
