import { parentPort } from 'node:worker_threads';
import { runProgram } from './run-program.mjs';
import { problemOf } from './value-checks.mjs';

/**
 * An error of the sandbox itself ends the thread, and comes out of it as its error.
 * @param {import('#lib/calls').WholeSlice} slice
 */
async function answer(slice) {
  parentPort?.postMessage(await resultOf(slice));
}

/** @param {import('#lib/calls').WholeSlice} slice */
async function resultOf(slice) {
  try {
    return await runProgram(slice, problemOf);
  } catch (error) {
    if (error instanceof RangeError) return 'too deep';
    throw error;
  }
}

parentPort?.on('message', (slice) => void answer(slice));
parentPort?.postMessage('ready');
