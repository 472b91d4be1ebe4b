import { receiveMessageOnPort, workerData } from 'node:worker_threads';

/**
 * Waits for the process to check the value: its checker is the only one, and a program that writes a property waits for it, too.
 * @param {object} schema
 * @param {unknown} value
 * @returns {string} what does not fit; empty where all does
 */
export function problemOf(schema, value) {
  const done = new Int32Array(new SharedArrayBuffer(4));
  const { checks } = workerData;
  checks.postMessage({ schema, value, done });
  Atomics.wait(done, 0, 0);
  return receiveMessageOnPort(checks)?.message ?? 'It was not checked.';
}
