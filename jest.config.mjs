import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  rootDir: '.',
  testRunner: '<rootDir>/test/support/jest/native-runner.mjs',
  testRegex: String.raw`\.spec\.ts$`,
  testPathIgnorePatterns: ['/node_modules/', '/dist/', String.raw`\.(browser|chaos|servers)\.spec\.ts$`],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  transform: {},
  // Specs wait for files, timers and processes for an eighth of their time.
  maxWorkers: availableParallelism() + 1,
  testTimeout: 60_000,
  // To exit takes half a second on a busy machine, after which jest would report a leak.
  workerGracefulExitTimeout: 10_000,
};
