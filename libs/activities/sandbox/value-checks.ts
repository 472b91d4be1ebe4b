import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { SandboxObject } from '#lib/call-rules';
import { checkValue, errorsText } from '#lib/json-schema';
import type { Json, JsonObject } from '#lib/kernel';

interface ValueCheck {
  readonly object: string;
  readonly property: string;
  readonly value: Json;
  readonly done: Int32Array;
}

/**
 * Answers the questions of a thread whether a value fits a property. The thread sleeps until it has its answer. The schemas stay here: each is
 * inspected once. The budget of the checker bounds a check.
 * @returns the port to transfer to the thread, which closes it
 */
export function answersChecks(objects: readonly SandboxObject[]): MessagePort {
  const { port1: mine, port2: theirs } = new MessageChannel();
  mine.on('message', ({ object, property, value, done }: ValueCheck) => {
    mine.postMessage(problemOf(schemaOf(objects, object, property), value));
    Atomics.store(done, 0, 1);
    Atomics.notify(done, 0);
  });
  mine.unref();
  return theirs;
}

function schemaOf(objects: readonly SandboxObject[], object: string, property: string): JsonObject | boolean {
  const { properties = [] } = objects.find(({ name }) => name === object) ?? {};
  return properties.find(({ name }) => name === property)?.schema ?? true;
}

/** Never throws, because the thread would not wake. */
function problemOf(schema: JsonObject | boolean, value: Json): string {
  try {
    return errorsText(checkValue(schema, value).errors);
  } catch (error) {
    return `It was not checked: ${String(error)}`;
  }
}
