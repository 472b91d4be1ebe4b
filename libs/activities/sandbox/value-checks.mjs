import { receiveMessageOnPort } from 'node:worker_threads';

/**
 * Waits for the process to check a value. Only the process has the checker, and a program that writes a property waits for it, too.
 * @param {import('node:worker_threads').MessagePort} checks
 * @returns {(object: string, property: string, value: unknown) => string} the problems; empty if the value fits
 */
export function checksBy(checks) {
  return (object, property, value) => {
    const done = new Int32Array(new SharedArrayBuffer(4));
    checks.postMessage({ object, property, value, done });
    Atomics.wait(done, 0, 0);
    return receiveMessageOnPort(checks)?.message ?? 'It was not checked.';
  };
}
