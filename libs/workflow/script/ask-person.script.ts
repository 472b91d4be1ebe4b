import { excludesCreator, hasTimes, type PeoplePolicy } from '#lib/candidates';
import type { Json, JsonObject } from '#lib/kernel';
import { StepFailed } from './failures.js';
import { peopleAwaited } from './people-await.script.js';
import { checkedQuestion, type Question } from './question.rules.js';
import { here, type Named, type Open, type Place, waiting } from './script.js';
import { lengthOf, type Signalled, signalledIn } from './waits.script.js';

/** The signal that answers a question. */
const ANSWER = 'answer';

/**
 * Asks people, and waits for one answer.
 * @throws StepFailed with the kind `expired`; `invalid-question`; `creator-unknown`
 */
export function askPerson<Payload = Json>(
  given: Question<Payload>,
  { id }: Named = {},
): Open<Signalled<Payload>> {
  return waiting(askPerson, function* () {
    const place = yield* here();
    const stepId = place.name('person', id);
    const { title, question, schema, expireIn, onExpiry, ...asked } = questionOf(given, stepId);
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
    // An expiry without other times is the time-out of the await, as in earlier releases.
    const isAlone = expireIn !== undefined && !hasTimes(asked);
    const timeOut = isAlone && { timeoutMs: lengthOf(place, expireIn) };
    const times = expireIn === undefined ? asked : { ...asked, expireIn };
    const closed = yield* peopleAwaited({ ...step, ...timeOut }, times);
    const answer = closed && signalledIn<Payload>(closed);
    if (answer) return answer;
    if (onExpiry) return { ...onExpiry, by: 'timer', at: (yield* here()).now };
    const message = `Nobody answered within ${expireIn}: ${title}`;
    throw new StepFailed({ kind: 'expired', message, retryable: false }, stepId);
  });
}

/** @throws StepFailed if the question is invalid */
function questionOf<Payload>(given: Question<Payload>, stepId: string): Question<Payload> {
  const asked = checkedQuestion(given);
  if ('question' in asked) return asked.question;
  const { path, message: why } = asked.problem;
  const what = path === '' ? 'the question' : `${path.slice(1)} of a question`;
  throw new StepFailed({ kind: 'invalid-question', message: `${what} ${why}`, retryable: false }, stepId);
}

/** The people who answer, if the question names them. @throws StepFailed */
function askedPeople(place: Place, people: PeoplePolicy, stepId: string): PeoplePolicy | undefined {
  if (excludesCreator(people) && place.start.data.by === undefined) {
    const message = 'The person who started the run may not answer, and no person started it.';
    throw new StepFailed({ kind: 'creator-unknown', message, retryable: false }, stepId);
  }
  return Object.keys(people).length > 0 ? people : undefined;
}
