export { appendOneByOne } from './append-one-by-one.js';
export { appendSize, checkAppend, LARGEST_APPEND } from './append-size.js';
export { cannotBeRead } from './cannot-be-read.js';
export { chunksOf } from './blobs/blob-chunks.js';
export { BlobDamaged, isBlobStream } from './blobs/blob-streams.js';
export { ChangeSignal } from './change-signal.js';
export { CopyRefused } from './copying/append-copies.js';
export { compareLogs, type CopyDifference, type LogComparison } from './copying/compare-logs.js';
export { copyLog } from './copying/copy-log.js';
export { isSealed, type LogPair, SEALS } from './copying/log-pair.js';
export { damagedEvents } from './damaged-events.js';
export { decideAppendModule } from './decide-append-module.js';
export { type AppendDecision, decideAppend, type StreamView } from './decide-append.mjs';
export { AppendTooLarge, NoLog, StoreUnavailable, InvalidAppend, RevisionConflict } from './errors.js';
export {
  UnknownEvent,
  type BlobTexts,
  EventCodec,
  isInTexts,
  type Needs,
  type NewEvent,
  NO_NEEDS,
  UndecodableEvent,
  UnstorableEvent,
} from './event-codec.js';
export {
  type DeclaredEvents,
  type EventDefinition,
  type EventDefinitions,
  InvalidEventCatalogue,
} from './event-definitions.js';
export { type Appended, EventLog } from './event-log.js';
export { type DeclaredMembers, type MemberKind, type MemberKinds, metadataMembers } from './event-members.js';
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
export {
  changedCopy,
  copiedIn,
  copiesOf,
  type ForkedFrom,
  forkedFromMembers,
  ownEvents,
  upToBorder,
  toCopyAgain,
} from './forks/copies.js';
export { followLog } from './follow-log.js';
export { firstWithin } from './reading/first-within.js';
export { HeldPage } from './reading/held-page.js';
export { storedSize } from './reading/stored-size.js';
export { LogOrder } from './reading/log-order.js';
export {
  ConflictNotSettled,
  type Append,
  type CommandAnswer,
  commandEventIds,
  decideOn,
  handleCommand,
  keyReused,
  plannedAppend,
} from './handle-command.js';
export { InMemoryEventStore } from './in-memory-event-store.js';
export { type HashedLeaf, hashedLeaf, type Leaf, leafHash } from './leaf-hash.js';
export { Patience, withPatience } from './patience.js';
export {
  ForeignPosition,
  checkLogId,
  formatPosition,
  noPosition,
  InvalidLogId,
  parsePosition,
  sequenceOf,
  type Position,
} from './position.js';
export {
  TooManyReaders,
  answerReaders,
  asReader,
  currentReading,
  type Reading,
  Readers,
  streamReaders,
} from './reading/readers.js';
export { StreamHistory } from './stream-history.js';
export { ERASED, ERASED_TEXT } from './subjects/encrypted-members.js';
export { streamsAbout } from './subjects/streams-about.js';
export { type Digest, HELD_MS, KeyMissing, Keyring, type KeySource } from './subjects/keyring.js';
export { MasterKey } from './subjects/master-key.js';
export { BYTES_OF_KEY } from './subjects/subject-key.js';
export { idInStream, type StreamCategory, StreamNames } from './stream-names.js';
export { LastOfTypes, later } from './last-of-types.js';
export { ThreadTurns, threadTurns } from './thread-turns.js';
