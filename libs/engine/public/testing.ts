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
export { cassette, type CassetteOptions } from './kit/cassette.js';
export { expectIdentical, ReplayDiffers } from './kit/expect-identical.js';
export {
  CassetteExhausted,
  CassetteMiss,
  CassetteMissing,
  type CassetteMode,
  CassetteUnreadable,
} from '#lib/histories/core';
