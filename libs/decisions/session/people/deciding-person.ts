import { CREATOR, peopleOf, PROPOSERS } from '#lib/decisions/machines';
import type { Rejection } from '#lib/kernel';
import * as refusal from '../session.rejections.js';
import type { Session } from '../session.state.js';

/** A person who decides, as the call found them. */
export type DecidingPerson = {
  /** Absent if the caller is no person, and in commands of 0.2. */
  readonly by?: string;
  /** The human specialist of the machine as whom they act, if they have one. */
  readonly specialistId?: string;
  /** The groups that they are in. */
  readonly groups?: readonly string[];
  /** The only person who can answer the task of the round. */
  readonly assignee?: string;
};

/** Why this person does not decide the current round; `undefined` if they may. */
export function whyNotDeciding(person: DecidingPerson, session: Session): Rejection | undefined {
  const { by, assignee } = person;
  const policy = peopleOf(session.machine, session.currentState);
  if (by === undefined) return policy && refusal.notAPerson();
  if (policy?.exclude?.some((one) => isExcluded(one, by, session))) return refusal.excluded(by);
  const isCandidate = assignee === undefined ? isOneOfThem(person, by, session) : assignee === by;
  return isCandidate ? undefined : refusal.notACandidate(by);
}

function isExcluded(one: string, by: string, { createdBy, statedBy }: Session): boolean {
  if (one === CREATOR) return createdBy === by;
  return one === PROPOSERS ? statedBy.includes(by) : one === by;
}

/** With groups or people exactly those, with or without a specialist of the machine. */
function isOneOfThem(
  { specialistId, groups = [] }: DecidingPerson,
  by: string,
  { machine, currentState }: Session,
): boolean {
  const { groups: asked, people } = peopleOf(machine, currentState) ?? {};
  if (!asked && !people) return specialistId !== undefined;
  return (people?.includes(by) ?? false) || (asked?.some((group) => groups.includes(group)) ?? false);
}
