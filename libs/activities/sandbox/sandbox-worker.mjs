import { parentPort } from 'node:worker_threads';
import { runProgram } from './run-program.mjs';
import { checksBy } from './value-checks.mjs';

/**
 * @typedef {object} Asked
 * @property {import('#lib/call-rules').WholeSlice} slice
 * @property {import('node:worker_threads').MessagePort} checks answers whether a value fits a property
 */

/** An error of the sandbox itself ends the thread, and is the thread's error. @param {Asked} asked */
async function answer(asked) {
  parentPort?.postMessage(await resultOf(asked));
}

/** @param {Asked} asked */
async function resultOf({ slice, checks }) {
  try {
    return await runProgram(slice, checksBy(checks));
  } catch (error) {
    if (error instanceof RangeError) return 'too deep';
    throw error;
  } finally {
    checks.close();
  }
}

parentPort?.on('message', (asked) => void answer(asked));
parentPort?.postMessage('ready');
