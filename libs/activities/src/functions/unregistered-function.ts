import type { Rejection } from '#lib/kernel';
import { configurationRejection } from '../configuration-rejection.js';

/** Said before anything is recorded. */
export function notRegistered(kind: string, name: string, registered: readonly string[]): Rejection {
  const known = registered.length > 0 ? registered.map((one) => `"${one}"`).join(', ') : 'none';
  const why = `it is not registered in this process; registered are: ${known}`;
  return configurationRejection(`${kind} "${name}"`, why, 'Register it, or name one that is');
}

/** Preflight comes first; without it a function that is not there is a failure like any other. */
export function unregistered(name: string): () => never {
  return () => {
    throw new Error(`The function "${name}" is not registered in this process.`);
  };
}
