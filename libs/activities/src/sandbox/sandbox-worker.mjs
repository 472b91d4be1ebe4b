import { runProgram } from './run-program.mjs';

/**
 * Of a worker of the pool.
 * @param {{ readonly slice: import('#lib/calls').WholeSlice, readonly begun: import('node:worker_threads').MessagePort }} task
 */
export default async function runSlice({ slice, begun }) {
  begun.postMessage('begun');
  return runProgram(slice);
}
