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
import { derivedId, isJsonObject, type Json, type JsonObject, type Rejection, sameJson } from '#lib/kernel';
import type { SignalAwaited } from './runtime.events.js';

/** The signal that approves or refuses a call of a tool. */
export const APPROVAL = 'approval';

/** The id of the task of a wait. */
export function waitTaskId(runId: string, stepId: string): string {
  return derivedId(runId, `task ${stepId}`);
}

/** The branch of a wait in which its clock runs. */
export const CLOCK_BRANCH = 'clock';
const CLOCK_STEP = /\/clock\/child#\d+$/;

/** The step at which a wait runs its clock. @param count from 1: another one begins if one has failed */
export function clockStepOf(stepId: string, count = 1): string {
  return `${stepId}/${CLOCK_BRANCH}/child#${count}`;
}

/** The wait that is timed at a step; `undefined` if none is. */
export function timedWait(stepId: string): string | undefined {
  const found = CLOCK_STEP.exec(stepId);
  return found ? stepId.slice(0, found.index) : undefined;
}

/** The choice of one person. */
interface GivenChoice {
  readonly by: string;
  readonly payload: Json;
}

/** An open wait for people, with the choices that were made so far. */
export interface PeopleWait {
  readonly policy?: PeoplePolicy;
  /** Present if a call of a tool is to be approved: only then does the engine read `approved`, `reason` and `by` in an answer. */
  readonly isApproval?: true;
  /** The arguments of the call that is to be approved. */
  readonly shown?: Json;
  readonly given: readonly GivenChoice[];
}

/** The wait that an await opens, if it is for people: an approval, one with a prompt, or one that names its people. */
export function peopleWait({ signal, prompt, people }: SignalAwaited['data']): PeopleWait | undefined {
  const isForPeople =
    signal === APPROVAL || people !== undefined || (prompt !== undefined && prompt !== null);
  if (!isForPeople) return undefined;
  const policy = people && { policy: people };
  if (signal !== APPROVAL) return { ...policy, given: [] };
  const shown = isJsonObject(prompt) ? prompt['arguments'] : undefined;
  const isShared = approvalsOf(people) > 1 && shown !== undefined;
  return { ...policy, isApproval: true, ...(isShared && { shown }), given: [] };
}

/**
 * Why this person, or a caller who is none, does not answer; `undefined` if they may. A caller who is no person answers what names nobody.
 * @param creators the people who started or forked the run
 */
export function whyNotAnsweringWait(
  { policy }: Pick<PeopleWait, 'policy'>,
  person: AnsweringPerson | undefined,
  { creators, assignee }: { readonly creators: readonly string[]; readonly assignee?: string },
): Rejection | undefined {
  if (!person) return isNaming(policy) || assignee !== undefined ? notAPerson() : undefined;
  const assigned = assignee !== undefined && { assignee };
  return whyNotAnswering({ ...person, ...assigned }, { policy, creators, isCandidate: true });
}

/** Whether the choice of this person ends the wait. One rejection of a call rejects it. */
export function isDeciding(wait: PeopleWait, next: GivenChoice): boolean {
  const needed = approvalsOf(wait.policy);
  if (needed === 1 || isRejecting(wait, next)) return true;
  return agreeing(withApproval(wait.given, next), (one, other) => isSameChoice(one, other, wait)) >= needed;
}

/** Whether the person has chosen this before, and nothing else since. */
export function isRepeated(wait: PeopleWait, next: GivenChoice): boolean {
  const before = wait.given.find(({ by }) => by === next.by);
  return before !== undefined && isSameChoice(before, next, wait);
}

export function withChoice(wait: PeopleWait, next: GivenChoice): PeopleWait {
  return { ...wait, given: withApproval(wait.given, next) };
}

function isRejecting({ isApproval }: PeopleWait, { payload }: GivenChoice): boolean {
  return isApproval === true && isJsonObject(payload) && payload['approved'] === false;
}

function isSameChoice(one: GivenChoice, other: GivenChoice, wait: PeopleWait): boolean {
  return sameJson(chosenIn(one.payload, wait), chosenIn(other.payload, wait));
}

/** The reason of an approval is not a part of the choice, and the arguments that were shown are the same as none. */
function chosenIn(payload: Json, { isApproval, shown }: PeopleWait): Json {
  if (!isApproval || !isJsonObject(payload) || payload['approved'] !== true) return payload;
  const { reason: _, by: _by, ...chosen }: JsonObject = payload;
  return shown === undefined ? chosen : { ...chosen, arguments: chosen['arguments'] ?? shown };
}
