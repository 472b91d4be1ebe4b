import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** @returns bytes of the heap of this process that are in use, once its garbage is collected */
export function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
