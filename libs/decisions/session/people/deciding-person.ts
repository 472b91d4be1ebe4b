import { type AnsweringPerson, notAPerson, whyNotAnswering } from '#lib/candidates';
import { peopleOf } from '#lib/decisions/machines';
import type { Rejection } from '#lib/kernel';
import type { Session } from '../session.state.js';

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
