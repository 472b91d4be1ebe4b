import {
  excludesCreator,
  hasTimes,
  type PeoplePolicy,
  peopleSchema,
  PROPOSERS,
  timesProblems,
} from '#lib/candidates';
import { checkValue, schemaProblem } from '#lib/json-schema';
import type { Duration, Json, JsonObject, Problem } from '#lib/kernel';
import type { JsonSchema } from '../run-values.js';
import { StepFailed } from './failures.js';
import { peopleAwaited } from './people-await.script.js';
import { here, type Named, type Open, type Place, waiting } from './script.js';
import { lengthOf, type Signalled, signalledIn } from './waits.script.js';

/** JSON Schema of a `Value`. */
export type SchemaOf<Value> = JsonSchema & { readonly [of]?: Value };
declare const of: unique symbol;

/** A question to people: to every reviewer and operator, unless it says to whom. */
export interface Question<Payload> extends PeoplePolicy {
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
  { title, question, schema, expireIn, onExpiry, ...asked }: Question<Payload>,
  { id }: Named = {},
): Open<Signalled<Payload>> {
  return waiting(askPerson, function* () {
    const place = yield* here();
    const stepId = place.name('person', id);
    const prompt: JsonObject = { title, ...(question !== undefined && { question }) };
    const people = askedPeople(place, asked, stepId);
    const step = {
      do: 'await',
      id: stepId,
      signal: ANSWER,
      schema,
      prompt,
      ...(people && { people }),
    } as const;
    const expiry = expireIn === undefined ? {} : { expireIn };
    checkQuestion(place, { ...asked, ...expiry }, { schema, ...(onExpiry && { onExpiry }) });
    // Alone it is the time-out of the await, as it always was.
    const isAlone = expireIn !== undefined && !hasTimes(asked);
    const timeOut = isAlone && { timeoutMs: lengthOf(place, expireIn) };
    const closed = yield* peopleAwaited({ ...step, ...timeOut }, { ...asked, ...expiry });
    const answer = closed && signalledIn<Payload>(closed);
    if (answer) return answer;
    if (onExpiry) return { ...onExpiry, by: 'timer', at: (yield* here()).now };
    const message = `Nobody answered within ${expireIn}: ${title}`;
    throw new StepFailed({ kind: 'expired', message, retryable: false }, stepId);
  });
}

/** Checks the people, the times, and that the answer of the expiry fits the schema as that of a person does. @throws WorkflowBug */
function checkQuestion(
  place: Place,
  people: PeoplePolicy,
  {
    schema,
    onExpiry,
  }: Pick<Question<unknown>, 'schema'> & { readonly onExpiry?: { readonly payload: unknown } },
): void {
  const [problem] = [
    ...timesProblems('', { ...people, ...(onExpiry && { onExpiry: {} }) }),
    ...misfits('', peopleSchema, people),
    ...(onExpiry ? misfits('/onExpiry/payload', schema, onExpiry.payload) : []),
  ];
  if (problem) place.broken(`${problem.path.slice(1)} of a question ${problem.message}`, 'Correct it');
}

function misfits(at: string, schema: JsonSchema, value: unknown): readonly Problem[] {
  const problems = checkValue(schema, value).errors.map(schemaProblem);
  return problems.map(({ path, message }) => ({ path: `${at}${path}`, message }));
}

/** The people who answer, if the question says so. @throws StepFailed @throws WorkflowBug */
function askedPeople(place: Place, people: PeoplePolicy, stepId: string): PeoplePolicy | undefined {
  if (people.exclude?.includes(PROPOSERS))
    place.broken(
      'it excludes proposers from a question',
      'Name persons, or `creator`: proposers are of rounds',
    );
  if (excludesCreator(people) && place.start.data.by === undefined) {
    const message = 'The person who started the run may not answer, and no person started it.';
    throw new StepFailed({ kind: 'creator-unknown', message, retryable: false }, stepId);
  }
  return Object.keys(people).length > 0 ? people : undefined;
}
