export * from './core.js';
export {
  eventsMembers,
  forkMembers,
  idBeginning,
  labelledPageMembers,
  ownLabels,
  pageMembers,
  pastMembers,
  pastPageMembers,
  readMembers,
  standIn,
} from './declare/common.members.js';
export { labelMembers, ProblemAt, RecordedEventView, ReplayReportBody } from './declare/common.views.js';
export { JsonSchemaOf, type Whole, type Authored } from './declare/definition.js';
export { IsListOf } from './declare/fields.js';
export { type InputOf, Operation, operationOf, operationsIn } from './declare/operation.js';
export { amounts, givenAmounts, input, is, view } from './declare/view.js';
export { manifestOf, type OperationEntry, type OperationManifest } from './describe/manifest.js';
export { mcpToolOf } from './describe/mcp-tool.js';
export { type Examples, openApiOf } from './describe/openapi.js';
export { inputSchema, type JsonSchema, viewSchema } from './describe/schemas.js';
export { answeredBy, readsRows, readsRowsOf } from './dispatch/answered-by.js';
export { type Caller, Dispatcher } from './dispatch/dispatcher.js';
export { malformed, readFields, readInput, refuseMembers } from './dispatch/read-input.js';
export { type PartToken, type Provided, type Token, token } from './dispatch/provided.js';
export { READ_STORE, ReadModels } from './dispatch/read-models.js';
