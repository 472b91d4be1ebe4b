export * from './core.js';
export { pageOrThrow } from './read-side/page-or-throw.js';
export type { ReadOptions } from './read-side/read-options.js';
export { ReadSide } from './read-side/read-side.js';
export { WrittenPosition } from './read-side/written-position.js';
export {
  type CommandContext,
  commandContext,
  type CommandOptions,
  childContext,
} from './write-side/command-context.js';
export { SingleFlight } from './write-side/single-flight.js';
export { checkKeyIn, CommandWriter, type Target } from './write-side/command-writer.js';
export type { Written } from './write-side/written.js';
export { KeyRegister } from './write-side/key-register.js';
export { RecordedAnswers } from './write-side/recorded-answers.js';
export { refuse } from './write-side/refuse.js';
export {
  type Answer,
  type Answers,
  items,
  list,
  nothing,
  nullable,
  oneOf,
  page,
  text,
  type View,
} from './declare/answers.js';
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
} from './declare/fields.js';
export {
  type AnswerOf,
  type InputOf,
  type McpProfile,
  Operation,
  type OperationClass,
  operationOf,
  operationsIn,
} from './declare/operation.js';
export { ProblemAt } from './declare/problem-at.view.js';
export { RecordedEventView } from './declare/recorded-event.view.js';
export { ReplayReportBody } from './declare/replay-report.view.js';
export { PageQuery, ReadQuery } from './declare/queries.js';
export {
  answerSchema,
  componentSchemas,
  inputSchema,
  type JsonSchema,
  type ObjectSchema,
  viewSchema,
} from './describe/schemas.js';
export { entryOf, manifestOf, type OperationEntry, type OperationManifest } from './describe/manifest.js';
export { type McpTool, mcpToolOf } from './describe/mcp-tool.js';
export { openApiOf } from './describe/openapi.js';
export { Access, type Actor, type Credentials, type Role } from './dispatch/access.js';
export { type Caller, Dispatcher } from './dispatch/dispatcher.js';
export { type Facade, facadeOf, HANDLED, handlersIn } from './dispatch/facade.js';
export { READ_STORE, ReadModels } from './dispatch/read-models.js';
export { readsRows } from './dispatch/reads-rows.js';
export { malformed, readFields, unknownMember } from './dispatch/read-input.js';
export { answered, currentContext, currentScope, markCreated, markFleeting } from './dispatch/scope.js';
