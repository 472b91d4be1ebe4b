/**
 * The port of the event log, its codec, and the store in memory.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */

export { ChangeSignal } from './change-signal.js';
export { appendOneByOne } from './append-one-by-one.js';
export { appendSize, checkAppend, LARGEST_APPEND } from './append-size.js';
export { BlobDamaged, isBlobStream } from './blobs/blob-streams.js';
export { compareLogs, type CopyDifference, type LogComparison } from './copying/compare-logs.js';
export { copyLog } from './copying/copy-log.js';
export { CopyRefused } from './copying/append-copies.js';
export type { LogPair } from './copying/log-pair.js';
export { type AppendDecision, decideAppend, type StreamView } from './decide-append.mjs';
export { decideAppendModule } from './decide-append-module.js';
export { AppendTooLarge, InvalidAppend, NoLog, RevisionConflict, StoreUnavailable } from './errors.js';
export type {
  AppendResult,
  EventStore,
  EventToStore,
  ExpectedRevision,
  ReadAllOptions,
  ReadStreamOptions,
  StoredEvent,
  StreamAppend,
} from './event-store.js';
export { followLog } from './follow-log.js';
export { InMemoryEventStore } from './in-memory-event-store.js';
export { Patience, withPatience } from './patience.js';
export {
  checkLogId,
  ForeignPosition,
  formatPosition,
  noPosition,
  InvalidLogId,
  parsePosition,
  sequenceOf,
  type Position,
} from './position.js';
export {
  type BlobTexts,
  EventCodec,
  type EventDefinition,
  type EventDefinitions,
  InvalidEventCatalogue,
  type NewEvent,
  UndecodableEvent,
  UnstorableEvent,
  UnknownEvent,
} from './event-codec.js';
export { type Appended, EventLog } from './event-log.js';
export {
  type Append,
  type CommandAnswer,
  commandEventIds,
  ConflictNotSettled,
  handleCommand,
  keyReused,
  plannedAppend,
} from './handle-command.js';
export {
  answerReaders,
  asReader,
  currentReading,
  type Reading,
  Readers,
  streamReaders,
  TooManyReaders,
} from './reading/readers.js';
export { damagedEvents } from './damaged-events.js';
export { StreamHistory } from './stream-history.js';
export { idInStream, type StreamCategory, StreamNames } from './stream-names.js';
