import base from './jest.config.mjs';

/** Kills, races and long properties: what would make `npm test` slow. */
/** @type {import('jest').Config} */
export default {
  ...base,
  maxWorkers: '100%',
  testRegex: String.raw`\.chaos\.spec\.ts$`,
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testSequencer: '<rootDir>/test/support/jest/longest-first.mjs',
  testTimeout: 600_000,
};
