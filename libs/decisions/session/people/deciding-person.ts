import { type JsonObject, sameJson, type Rejection } from '#lib/kernel';
import { type AnsweringPerson, notAPerson, whyNotAnswering } from '#lib/candidates';
import { peopleOf } from '#lib/decisions/machines';
import type { Session } from '../session.state.js';

/** The choice of one person in a round that needs several, recorded or about to be. */
export type Approval = {
  readonly by: string;
  readonly transitionName: string;
  readonly metaJson?: JsonObject;
  /** The proposal that the person accepts. */
  readonly proposalId?: string;
};

/** The same transition with the same arguments. */
export function isSameChoice(one: Approval, other: Approval): boolean {
  return one.transitionName === other.transitionName && sameJson(one.metaJson ?? {}, other.metaJson ?? {});
}

/** A person who decides, as found by the call. */
export type DecidingPerson = Omit<AnsweringPerson, 'by'> & {
  /** Absent if the caller is no person, and in commands of 0.2. */
  readonly by?: string;
  /** The human specialist of the machine as whom they act, if there is one. */
  readonly specialistId?: string;
};

/** The reason why this person may not decide the current round; `undefined` if they may. */
export function whyNotDeciding(person: DecidingPerson, session: Session): Rejection | undefined {
  const { by, specialistId } = person;
  const { machine, currentState, creators, statedBy: proposers } = session;
  const policy = peopleOf(machine, currentState);
  if (by === undefined) return policy && notAPerson();
  const isCandidate = specialistId !== undefined;
  return whyNotAnswering({ ...person, by }, { policy, creators, proposers, isCandidate });
}
