import type { Activity, CallContext, Outcome } from '../activity/activity.js';
import { type Event, type Json, type JsonObject, jsonText, sha256 } from '#lib/kernel';

export type Perform = (request: JsonObject, context: CallContext) => Promise<Outcome>;

/** An activity without I/O. Its output is its input, or the value of `perform`. */
export function echoActivity(perform: Perform = async (request) => echoed(request), name = 'echo'): Activity {
  const prefix = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const events = {
    requested: `${prefix}Requested`,
    completed: `${prefix}Completed`,
    failed: `${prefix}Failed`,
  };
  return {
    name,
    events,
    definitions: Object.fromEntries(Object.values(events).map((type) => [type, { version: 1 }])),
    request: (input) => ({ input }),
    checkIntegrity,
    isSafeToRepeat: ({ input }) => !isUnsafe(input),
    preflight: () => undefined,
    perform,
  };
}

/** The outcome that holds its own checksum. */
export function echoed({ input }: JsonObject): Outcome {
  return { completed: { output: input ?? null, sha256: sha256(jsonText(input ?? null)) } };
}

export function failed(kind: string, retryable = true): Outcome {
  return { failed: { failure: { kind, message: 'no answer', retryable, durationMs: 1 } } };
}

function checkIntegrity({ data }: Event) {
  if (!('output' in data && 'sha256' in data)) return undefined;
  const replayed = sha256(jsonText(data.output));
  return data.sha256 === replayed ? undefined : { pointer: '/data/sha256', recorded: data.sha256, replayed };
}

function isUnsafe(input: Json | undefined): boolean {
  return typeof input === 'object' && input !== null && 'unsafe' in input;
}
