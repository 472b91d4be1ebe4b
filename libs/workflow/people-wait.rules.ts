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

/** The step of a wait's clock. @param count from 1: another clock begins if one has failed */
export function clockStepOf(stepId: string, count = 1): string {
  return `${stepId}/${CLOCK_BRANCH}/child#${count}`;
}

/** The wait that the clock at this step times; `undefined` if the step is not of a clock. */
export function timedWait(stepId: string): string | undefined {
  const found = CLOCK_STEP.exec(stepId);
  return found ? stepId.slice(0, found.index) : undefined;
}

interface GivenChoice {
  readonly by: string;
  readonly payload: Json;
}

/** An open wait for people, with the choices so far. */
export interface PeopleWait {
  readonly policy?: PeoplePolicy;
  /** Present if the wait is the approval of a tool call. Only then does the engine read `approved`, `reason` and `by` in an answer. */
  readonly isApproval?: true;
  /** The arguments of the call that is to be approved, if several people approve it. */
  readonly shown?: Json;
  readonly given: readonly GivenChoice[];
}

/** The wait of an await that is for people: an approval, one with a prompt, or one that names its people. */
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
 * The reason why a person, or a caller who is none, may not answer; `undefined` if they may. A caller who is no person may answer a wait that
 * names no people.
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

/** Whether this choice ends the wait. One rejection of a tool call is enough. */
export function isDeciding(wait: PeopleWait, next: GivenChoice): boolean {
  const needed = approvalsOf(wait.policy);
  if (needed === 1 || isRejecting(wait, next)) return true;
  return agreeing(withApproval(wait.given, next), (one, other) => isSameChoice(one, other, wait)) >= needed;
}

/** Whether the person's last choice was the same. */
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

/** The part of an approval that has to be the same: not its reason, and the shown arguments are the same as no arguments. */
function chosenIn(payload: Json, { isApproval, shown }: PeopleWait): Json {
  if (!isApproval || !isJsonObject(payload) || payload['approved'] !== true) return payload;
  const { reason: _, by: _by, ...chosen }: JsonObject = payload;
  return shown === undefined ? chosen : { ...chosen, arguments: chosen['arguments'] ?? shown };
}
