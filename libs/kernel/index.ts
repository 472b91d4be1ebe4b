export { Allowance, AllowanceExceeded, type Measures } from './allowance.js';
export type { Command, CommandEnvelope } from './command.js';
export { type Decider, fold } from './decider.js';
export {
  type BlobReference,
  ENGINE_ACTOR,
  type Event,
  type EventEncoding,
  type EventMetadata,
  type RecordedEvent,
} from './event.js';
export { engineVersion } from './engine-version.js';
export { explain, thrownText, withoutClass } from './explain.js';
export { fromText } from './from-text.js';
export { type Fingerprint, Fingerprints, isSameInput } from './fingerprint.js';
export { derivedId, isSha256, isUuid, sha256 } from './hashes.js';
export { inParallel, settledInParallel } from './in-parallel.js';
export { differences, firstDifference, type JsonDifference, sameJson } from './json-difference.js';
export { escapePointerToken, pointerTokens } from './json-pointer.js';
export {
  canonicalText,
  isDeeperThan,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonText,
  MOST_ANSWER_LEVELS,
  ownMember,
  parseJsonObject,
  present,
} from './json.js';
export { type Duration, durationProblem, millisecondsOf } from './duration.js';
export {
  keyedId,
  type Labelled,
  type Labels,
  labelsOf,
  shownLabels,
  type ShownLabels,
  type Tags,
  whyKeyTaken,
} from './labels.js';
export { loadPart, optionalParts, PackageMissing } from './optional-part.js';
export { jsonLine, oneLine, spaced } from './one-line.js';
export { printable, printableJson } from './printable.js';
export { type Members, recordedBesides } from './recorded-command.js';
export { RecentMap } from './recent-map.js';
export { type ErrorAnswer, RedialError } from './redial-error.js';
export {
  below,
  firstProblem,
  invalidDefinition,
  LISTED_PROBLEMS,
  isRejection,
  ofProblems,
  type Problem,
  reject,
  type Rejection,
  type RejectionKind,
  type RejectionText,
  refusedAt,
  type RefusedTask,
} from './rejection.js';
export { type Clock, type IdSource, randomIds, systemClock } from './sources.js';
export { parseTraceparent, type TraceContext } from './trace-context.js';
export { nearestName, unknownProperty } from './unknown-name.js';
export { unstorableValue } from './unstorable-value.js';
