export {
  type Answer,
  items,
  lines,
  type Lines,
  list,
  nothing,
  nullable,
  oneOf,
  page,
  text,
  type View,
} from './declare/answers.js';
export {
  Access,
  type Actor,
  type Credentials,
  type Introduction,
  OPERATOR,
  type Role,
  checkRole,
} from './dispatch/access.js';
export { type Facade, facadeOf, HANDLED, handlersIn } from './dispatch/facade.js';
export {
  answered,
  currentContext,
  currentScope,
  markCreated,
  markFleeting,
  noteSubject,
} from './dispatch/scope.js';
export { isTime, NO_TIME } from './declare/moment.js';
export { notTheAuthor } from './dispatch/stated-author.js';
export { Moments, type Moment, pastMoment, type PastMoment, type Seen } from './read-side/moments.js';
export { type ReadOptions, ReadSide } from './read-side/read-side.js';
export { WrittenPosition } from './read-side/written-position.js';
export {
  CallSubject,
  type CommandOptions,
  authorOf,
  personOf,
  type CommandContext,
  commandContext,
  childContext,
  isKey,
  keyedCommandId,
  refuseInvalidKey,
  scopeOfKey,
} from './write-side/command-context.js';
export { callEventDefinitions } from './write-side/call.events.js';
export { checkKeyIn, CommandWriter, type Target } from './write-side/command-writer.js';
export { KeyTarget } from './write-side/key-target.js';
export { RecordedAnswers } from './write-side/recorded-answers.js';
export { orRefused, refuse, refusingAt, RejectionError } from './write-side/rejection-error.js';
export { noMasterKey, refuseErasedStream, Subjects } from './write-side/subjects.js';
export { SingleFlight } from './write-side/single-flight.js';
export type { Written } from './write-side/written.js';
