/** @type {import('jest').Config} */
export default {
  rootDir: '.',
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  testRegex: String.raw`\.spec\.ts$`,
  testPathIgnorePatterns: ['/node_modules/', '/dist/', String.raw`\.(chaos|servers)\.spec\.ts$`],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    [String.raw`^(\.{1,2}/.*)\.js$`]: '$1',
    // What the package exports, for the examples.
    '^redial/(.+)$': '<rootDir>/libs/$1/src/index.ts',
    // Their `source` is TypeScript of their own.
    '^eventsource$': '<rootDir>/node_modules/eventsource/dist/index.js',
    '^eventsource-parser$': '<rootDir>/node_modules/eventsource-parser/dist/index.js',
    '^eventsource-parser/stream$': '<rootDir>/node_modules/eventsource-parser/dist/stream.js',
  },
  transform: {
    [String.raw`\.ts$`]: [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          target: 'es2022',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'es6' },
      },
    ],
  },
  collectCoverageFrom: ['apps/**/src/**/*.ts', 'libs/**/src/**/*.ts', '!**/*.spec.ts', '!**/testing/**'],
  maxWorkers: '100%',
  // Modules loaded for one suite stay in its worker: without a fresh one now and then, collecting them takes half of the time.
  workerIdleMemoryLimit: '900MB',
  testTimeout: 30_000,
};
