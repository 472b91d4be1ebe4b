import {
  agreeing,
  type AnsweringPerson,
  approvalsOf,
  isNaming,
  notAPerson,
  type PeoplePolicy,
  whyNotAnswering,
  withApproval,
} from '#lib/candidates';
import { isJsonObject, type Json, type JsonObject, type Rejection, sameJson } from '#lib/kernel';
import type { SignalAwaited } from './runtime.events.js';

/** The signal that approves or refuses a call of a tool. */
export const APPROVAL = 'approval';

/** The choice of one person. */
interface GivenChoice {
  readonly by: string;
  readonly payload: Json;
}

/** An open wait for people, with the choices that were made so far. */
export interface PeopleWait {
  readonly policy?: PeoplePolicy;
  /** The arguments of the call that is to be approved. */
  readonly shown?: Json;
  readonly given: readonly GivenChoice[];
}

/** The wait that an await opens, if it is for people: an approval, one with a prompt, or one that names its people. */
export function peopleWait({ signal, prompt, people }: SignalAwaited['data']): PeopleWait | undefined {
  const isForPeople =
    signal === APPROVAL || people !== undefined || (prompt !== undefined && prompt !== null);
  if (!isForPeople) return undefined;
  const shown = signal === APPROVAL && isJsonObject(prompt) ? prompt['arguments'] : undefined;
  const isShared = approvalsOf(people) > 1 && shown !== undefined;
  return { ...(people && { policy: people }), ...(isShared && { shown }), given: [] };
}

/**
 * Why this person, or a caller who is none, does not answer; `undefined` if they may. A caller who is no person answers what names nobody.
 * @param creator the person who started the run
 */
export function whyNotAnsweringWait(
  { policy }: Pick<PeopleWait, 'policy'>,
  person: AnsweringPerson | undefined,
  { creator, assignee }: { readonly creator: string | undefined; readonly assignee?: string },
): Rejection | undefined {
  if (!person) return isNaming(policy) || assignee !== undefined ? notAPerson() : undefined;
  const assigned = assignee !== undefined && { assignee };
  return whyNotAnswering({ ...person, ...assigned }, { policy, creator, isCandidate: true });
}

/** Whether the choice of this person ends the wait. One rejection rejects. */
export function isDeciding({ policy, shown, given }: PeopleWait, next: GivenChoice): boolean {
  const needed = approvalsOf(policy);
  if (needed === 1 || isRejecting(next.payload)) return true;
  return agreeing(withApproval(given, next), (one, other) => isSameChoice(one, other, shown)) >= needed;
}

/** Whether the person has chosen this before, and nothing else since. */
export function isRepeated({ shown, given }: PeopleWait, next: GivenChoice): boolean {
  const before = given.find(({ by }) => by === next.by);
  return before !== undefined && isSameChoice(before, next, shown);
}

export function withChoice(wait: PeopleWait, next: GivenChoice): PeopleWait {
  return { ...wait, given: withApproval(wait.given, next) };
}

function isRejecting(payload: Json): boolean {
  return isJsonObject(payload) && payload['approved'] === false;
}

/** The reason of an approval is not a part of the choice, and the arguments that were shown are the same as none. */
function isSameChoice(one: GivenChoice, other: GivenChoice, shown: Json | undefined): boolean {
  return sameJson(chosenIn(one.payload, shown), chosenIn(other.payload, shown));
}

function chosenIn(payload: Json, shown: Json | undefined): Json {
  if (!isJsonObject(payload) || payload['approved'] !== true) return payload;
  const { reason: _, by: _by, ...chosen }: JsonObject = payload;
  return shown === undefined ? chosen : { ...chosen, arguments: chosen['arguments'] ?? shown };
}
