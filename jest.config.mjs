/** @type {import('jest').Config} */
export default {
  rootDir: '.',
  testRunner: '<rootDir>/test/support/jest/native-runner.mjs',
  testRegex: String.raw`\.spec\.ts$`,
  testPathIgnorePatterns: ['/node_modules/', '/dist/', String.raw`\.(chaos|servers)\.spec\.ts$`],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  transform: {},
  maxWorkers: '100%',
  testTimeout: 60_000,
};
