export { Arrivals } from './arrivals.js';
export { checkAppend } from './check-append.js';
export { type AppendDecision, decideAppend, type StreamView } from './decide-append.mjs';
export { decideAppendModule } from './decide-append-module.js';
export { InvalidAppend, RevisionConflict, StoreUnavailable } from './errors.js';
export type {
  AppendResult,
  EventStore,
  EventToStore,
  ExpectedRevision,
  ReadAllOptions,
  ReadStreamOptions,
  StoredEvent,
} from './event-store.js';
export { followLog } from './follow-log.js';
export { InMemoryEventStore } from './in-memory-event-store.js';
export {
  checkLogId,
  ForeignPosition,
  formatPosition,
  InvalidLogId,
  parsePosition,
  placeOf,
  type Position,
} from './position.js';
export {
  EventCodec,
  type EventDefinition,
  type EventDefinitions,
  InvalidEventCatalogue,
  type NewEvent,
  UndecodableEvent,
} from './event-codec.js';
export { EventLog } from './event-log.js';
export {
  type CommandAnswer,
  commandEventId,
  ConflictNotSettled,
  handleCommand,
  keyReused,
} from './handle-command.js';
export { type StreamCategory, StreamNames } from './stream-names.js';
