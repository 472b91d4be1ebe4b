export * from './core.js';
export { refuse } from './write-side/rejection-error.js';
export type { ReadOptions } from './read-side/read-options.js';
export { ReadSide } from './read-side/read-side.js';
export { WrittenPosition } from './read-side/written-position.js';
export {
  authorOf,
  type CommandContext,
  commandContext,
  type CommandOptions,
  childContext,
  isKey,
  refuseInvalidKey,
} from './write-side/command-context.js';
export { SingleFlight } from './write-side/single-flight.js';
export { checkKeyIn, CommandWriter, type Target } from './write-side/command-writer.js';
export type { Written } from './write-side/written.js';
export { KeyTarget } from './write-side/key-target.js';
export { RecordedAnswers } from './write-side/recorded-answers.js';
export { items, list, nothing, nullable, oneOf, page, text, type View } from './declare/answers.js';
export { Definition, JsonSchemaOf, type Whole, type Authored } from './declare/definition.js';
export {
  Describe,
  Fits,
  IsA,
  IsId,
  IsJson,
  IsListOf,
  IsName,
  IsTime,
  IsWhole,
  Optional,
  OrNull,
  StandIn,
} from './declare/fields.js';
export { type InputOf, Operation, operationOf, operationsIn } from './declare/operation.js';
export { ProblemAt, RecordedEventView, ReplayReportBody } from './declare/common.views.js';
export { PageQuery, ReadQuery } from './declare/queries.js';
export { inputSchema, type JsonSchema, viewSchema } from './describe/schemas.js';
export { manifestOf, type OperationEntry, type OperationManifest } from './describe/manifest.js';
export { mcpToolOf } from './describe/mcp-tool.js';
export { type Examples, openApiOf } from './describe/openapi.js';
export {
  Access,
  type Actor,
  type Credentials,
  type Introduction,
  OPERATOR,
  type Role,
  type Standing,
} from './dispatch/access.js';
export { notTheAuthor } from './dispatch/stated-author.js';
export { type Caller, Dispatcher } from './dispatch/dispatcher.js';
export { type Facade, facadeOf, HANDLED, handlersIn } from './dispatch/facade.js';
export { READ_STORE, ReadModels } from './dispatch/read-models.js';
export { answeredBy, readsRows } from './dispatch/answered-by.js';
export { malformed, readFields, readInput, refuseMembers } from './dispatch/read-input.js';
export { answered, currentContext, currentScope, markCreated, markFleeting } from './dispatch/scope.js';
