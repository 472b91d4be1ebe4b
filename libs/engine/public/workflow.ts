/**
 * Workflows as scripts. The other names of this entry are those of 0.2; they are deprecated here, and their home is
 * `redial-engine/workflow/rules`.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export {
  askModel,
  callFunction,
  type FunctionOptions,
  type ModelQuestion,
  type ModelReply,
  type ModelToolCall,
} from '#lib/call-rules';
export { callTool } from '#lib/runs/tools/core';
export {
  all,
  type Ask,
  askPerson,
  attempt,
  block,
  type Body,
  child,
  defineWorkflow,
  type Duration,
  either,
  type First,
  type Named,
  now,
  type Open,
  type Question,
  record,
  type Results,
  retried,
  type Retried,
  type Retry,
  RunFails,
  type SchemaOf,
  type Script,
  type ScriptAnswer,
  signal,
  type Signalled,
  StepFailed,
  type Steps,
  timer,
  type Tried,
  type Uses,
  uuid,
  type WorkflowDefinition,
} from '#lib/workflow';
export * from './workflow/rules.js';
