import type { Json, JsonObject } from '#lib/kernel';
import type { JsonSchema } from '../run-values.js';
import { type Duration } from '#lib/kernel';
import { StepFailed } from './failures.js';
import { here, type Named, type Open, waiting } from './script.js';
import { awaited, lengthOf, type Signalled } from './waits.script.js';

/** JSON Schema of a `Value`. */
export type SchemaOf<Value> = JsonSchema & { readonly [of]?: Value };
declare const of: unique symbol;

/** A question to people. */
export interface Question<Payload> {
  readonly title: string;
  readonly question?: string;
  /** Of the answer: another one is refused. */
  readonly schema: SchemaOf<Payload>;
  /** After this time the question takes no answer. */
  readonly expireIn?: Duration;
  /** The answer then. Without it, the step fails with the kind `expired`. */
  readonly onExpiry?: { readonly payload: Payload };
}

/** The signal that answers a question. */
const ANSWER = 'answer';

/** Asks people, and waits for one answer. @throws StepFailed with the kind `expired` */
export function askPerson<Payload = Json>(
  { title, question, schema, expireIn, onExpiry }: Question<Payload>,
  { id }: Named = {},
): Open<Signalled<Payload>> {
  return waiting(askPerson, function* () {
    const place = yield* here();
    const stepId = place.name('person', id);
    const prompt: JsonObject = { title, ...(question !== undefined && { question }) };
    const timeoutMs = expireIn === undefined ? {} : { timeoutMs: lengthOf(place, expireIn) };
    const answer = yield* awaited<Payload>({
      do: 'await',
      id: stepId,
      signal: ANSWER,
      schema,
      prompt,
      ...timeoutMs,
    });
    if (answer) return answer;
    if (onExpiry) return { ...onExpiry, by: 'timer', at: (yield* here()).now };
    const message = `Nobody answered within ${expireIn}: ${title}`;
    throw new StepFailed({ kind: 'expired', message, retryable: false }, stepId);
  });
}
