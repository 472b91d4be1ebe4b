export { RevisionConflict, StoreUnavailable } from './errors.js';
export type {
  AppendResult,
  EventStore,
  EventToStore,
  ExpectedRevision,
  ReadAllOptions,
  ReadStreamOptions,
  StoredEvent,
} from './event-store.js';
export { ForeignPosition, formatPosition, parsePosition, placeOf, type Position } from './position.js';
