/**
 * For the tests of an application: recorded models, and replays that must be identical.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export {
  createTestEngine,
  type TestClock,
  type TestEngine,
  type TestEngineOptions,
} from './kit/test-engine.js';
export {
  type AskedRequest,
  ModelExhausted,
  RepliesLeft,
  type Scripted,
  ScriptedModel,
  scriptedModel,
} from './kit/scripted-model.js';
export type { PlainReply, ScriptedReply } from './kit/scripted-reply.js';
export {
  RunSetAside,
  testWorkflow,
  type WorkflowTest,
  type WorkflowTestOptions,
} from './kit/test-workflow.js';
export { cassette, type CassetteOptions } from './kit/cassette.js';
export {
  type Decided,
  type ExpectedEvent,
  type ExpectedOutcome,
  given,
  UnexpectedOutcome,
} from './kit/given/given.js';
export type { GivenEvent } from './kit/given/session-history.js';
export type { SessionOperation } from './kit/given/session-commands.js';
export { ImpossibleHistory } from './kit/given/usual-members.js';
export { expectIdentical, ReplayDiffers } from './kit/expect-identical.js';
export {
  CassetteExhausted,
  CassetteMiss,
  CassetteMissing,
  type CassetteMode,
  CassetteNotWritten,
  CassetteUnreadable,
} from '#lib/histories/core';
