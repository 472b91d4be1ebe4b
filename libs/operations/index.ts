export * from './core.js';
export { takeAmounts } from './declare/amounts.js';
export { labelMembers, ProblemAt, RecordedEventView, ReplayReportBody } from './declare/common.views.js';
export { Definition, JsonSchemaOf, type Whole, type Authored } from './declare/definition.js';
export {
  Describe,
  Fits,
  IsA,
  IsPart,
  IsId,
  IsJson,
  IsListOf,
  IsMoment,
  IsName,
  IsNameOrNull,
  IsNames,
  IsTextOrTexts,
  IsTime,
  IsIdPrefix,
  IsUniqueKey,
  OwnKey,
  OwnSubject,
  OwnTags,
  IsWhole,
  Optional,
  OrNull,
  StandIn,
} from './declare/fields.js';
export { type InputOf, Operation, operationOf, operationsIn } from './declare/operation.js';
export { amounts, is, view } from './declare/view.js';
export {
  EventsQuery,
  LabelledPageQuery,
  PageQuery,
  PastPageQuery,
  PastQuery,
  ReadQuery,
} from './declare/queries.js';
export { manifestOf, type OperationEntry, type OperationManifest } from './describe/manifest.js';
export { mcpToolOf } from './describe/mcp-tool.js';
export { type Examples, openApiOf } from './describe/openapi.js';
export { inputSchema, type JsonSchema, viewSchema } from './describe/schemas.js';
export { answeredBy, readsRows, readsRowsOf } from './dispatch/answered-by.js';
export { type Caller, Dispatcher } from './dispatch/dispatcher.js';
export { malformed, readFields, readInput, refuseMembers } from './dispatch/read-input.js';
export { READ_STORE, ReadModels } from './dispatch/read-models.js';
