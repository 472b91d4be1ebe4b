import base from './jest.config.mjs';

/** What is about servers, and the stories on servers instead of embedded: their stand-in or they themselves, and a PostgreSQL. */
/** @type {import('jest').Config} */
export default {
  ...base,
  maxWorkers: '100%',
  testRegex: String.raw`\.(servers|stories)\.spec\.ts$`,
  testTimeout: 120_000,
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
};
