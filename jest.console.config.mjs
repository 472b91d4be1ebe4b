import base from './jest.config.mjs';

/** Stories of the console in a real browser, on what is built of it. */
/** @type {import('jest').Config} */
export default {
  ...base,
  maxWorkers: '100%',
  testRegex: String.raw`\.browser\.spec\.ts$`,
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testTimeout: 120_000,
};
