import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { checkValue, errorsText } from '#lib/json-schema';
import type { Json, JsonObject } from '#lib/kernel';

interface Asked {
  readonly schema: JsonObject;
  readonly value: Json;
  readonly done: Int32Array;
}

/**
 * The end of a channel for a thread that asks, and sleeps until there is an answer. A check is bounded by the budget of the checker.
 * @returns the port to transfer to the thread
 */
export function answersChecks(): MessagePort {
  const { port1: mine, port2: theirs } = new MessageChannel();
  mine.on('message', ({ schema, value, done }: Asked) => {
    mine.postMessage(errorsText(checkValue(schema, value).errors));
    Atomics.store(done, 0, 1);
    Atomics.notify(done, 0);
  });
  mine.unref();
  return theirs;
}
