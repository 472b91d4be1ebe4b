import { reject, type Rejection } from '#lib/kernel';
import { type ExcludedPeople, excludedPeople, isNaming, type PeoplePolicy } from './people-policy.js';
import type { Escalated } from './waiting-times.js';

/** A person who answers, as they were when the call came. */
export type AnsweringPerson = {
  readonly by: string;
  readonly groups?: readonly string[];
  /** The only person who can answer. */
  readonly assignee?: string;
  /** The candidates that escalations have named. */
  readonly escalated?: Escalated;
};

/** The people rules of a wait. */
export interface Waits extends ExcludedPeople {
  readonly policy: PeoplePolicy | undefined;
  /** Whether the person may answer if the policy names no people. */
  readonly isCandidate: boolean;
}

/** The reason why this person may not answer; `undefined` if they may. An assignment lifts no exclusion. */
export function whyNotAnswering(person: AnsweringPerson, waits: Waits): Rejection | undefined {
  const { by, assignee } = person;
  if (excludedPeople(waits.policy, waits).includes(by)) return excluded(by);
  const isOneOfThem = assignee === undefined ? isCandidate(person, waits) : assignee === by;
  return isOneOfThem ? undefined : notACandidate(by);
}

/**
 * Whether a person is a candidate. Candidates are those of the definition (exactly its groups and people, if it names any), and those of escalations,
 * which may replace them.
 */
function isCandidate(person: AnsweringPerson, { policy, isCandidate: isOne }: Waits): boolean {
  const { escalated } = person;
  if (escalated && isNamed(person, escalated)) return true;
  if (escalated?.isInstead) return false;
  return isNaming(policy) ? isNamed(person, policy ?? {}) : isOne;
}

/** The candidates after escalations. */
export function withEscalated(
  before: Required<Pick<PeoplePolicy, 'groups' | 'people'>>,
  escalated: Escalated | undefined,
): typeof before {
  const { people, groups } = escalated?.isInstead ? { people: [], groups: [] } : before;
  return {
    people: [...new Set([...people, ...(escalated?.people ?? [])])],
    groups: [...new Set([...groups, ...(escalated?.groups ?? [])])],
  };
}

function isNamed(
  { by, groups = [] }: AnsweringPerson,
  { groups: asked = [], people = [] }: Pick<PeoplePolicy, 'groups' | 'people'>,
): boolean {
  return people.includes(by) || asked.some((group) => groups.includes(group));
}

export function notAPerson(): Rejection {
  return reject('forbidden', 'not-a-person', {
    what: 'the answer',
    why: 'people give it, and the caller is none',
    fix: "Send a person's own token",
  });
}

function excluded(personId: string): Rejection {
  return reject('forbidden', 'excluded', {
    what: `an answer of ${personId}`,
    why: 'the definition excludes them: as a person, as a creator, or because they stated a proposal of the round',
    fix: 'Leave it to another person',
  });
}

function notACandidate(personId: string): Rejection {
  return reject('forbidden', 'not-a-candidate', {
    what: `an answer of ${personId}`,
    why: 'they are not among the people who are asked',
    fix: 'Leave it to one of the candidates, or to the person to whom it is assigned',
  });
}
