import { parentPort } from 'node:worker_threads';
import { runProgram } from './run-program.mjs';
import { problemOf } from './value-checks.mjs';

/**
 * An error of the sandbox itself ends the thread, and comes out of it as its error.
 * @param {import('#lib/calls').WholeSlice} slice
 */
async function answer(slice) {
  parentPort?.postMessage(await runProgram(slice, problemOf));
}

parentPort?.on('message', (slice) => void answer(slice));
parentPort?.postMessage('ready');
