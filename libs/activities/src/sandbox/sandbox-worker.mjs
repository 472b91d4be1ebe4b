import { parentPort } from 'node:worker_threads';
import { runProgram } from './run-program.mjs';

/** An error of the sandbox itself ends the thread, and comes out of it as its error. */
parentPort?.on('message', async (/** @type {import('#lib/calls').WholeSlice} */ slice) => {
  parentPort?.postMessage(await runProgram(slice));
});
parentPort?.postMessage('ready');
