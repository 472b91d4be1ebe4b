/**
 * For the tests of an application: recorded models, and replays that must be identical.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export { cassette, type CassetteOptions } from './kit/cassette.js';
export { expectIdentical, ReplayDiffers } from './kit/expect-identical.js';
export {
  CassetteExhausted,
  CassetteMiss,
  CassetteMissing,
  type CassetteMode,
  CassetteUnreadable,
} from '#lib/histories/core';
