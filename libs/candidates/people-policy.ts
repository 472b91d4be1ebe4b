import type { WaitingTimes } from './waiting-times.js';

/** The rules about the people who answer a wait: a round, an approval, a question of a script. */
export type PeoplePolicy = {
  /** With these or `people`, exactly those people answer. Without both, the kind of the task decides who answers. */
  readonly groups?: readonly string[];
  readonly people?: readonly string[];
  /** The people who never answer: the creators of the session or run, the authors of the round's proposals, or persons by their ids. */
  readonly exclude?: readonly string[];
  /** The number of people who have to make the same choice. Default: 1. */
  readonly approvals?: number;
  /** From 0 to 100. Default: 50. */
  readonly priority?: number;
} & WaitingTimes;

/** The kinds of its members in events. */
export const peopleMembers = {
  groups: 'structure',
  people: 'structure',
  exclude: 'structure',
  approvals: 'structure',
  priority: 'structure',
  dueIn: 'structure',
  remindBefore: 'structure',
  escalations: [{ in: 'structure', groups: 'structure', people: 'structure', keep: 'structure' }],
  expireIn: 'structure',
} as const satisfies Required<{ readonly [Member in keyof PeoplePolicy]: unknown }>;

/** Words in `exclude` that are not ids of persons. */
export const CREATOR = 'creator';
export const PROPOSERS = 'proposers';

const DEFAULT_PRIORITY = 50;

export function priorityOf({ priority = DEFAULT_PRIORITY }: PeoplePolicy = {}): number {
  return priority;
}

export function approvalsOf({ approvals = 1 }: PeoplePolicy = {}): number {
  return approvals;
}

/** Whether it names the people who answer. */
export function isNaming({ groups, people }: PeoplePolicy = {}): boolean {
  return groups !== undefined || people !== undefined;
}

export function excludesCreator({ exclude = [] }: PeoplePolicy = {}): boolean {
  return exclude.includes(CREATOR);
}

/** The people that the words in `exclude` stand for. */
export interface ExcludedPeople {
  readonly creators: readonly string[];
  readonly proposers?: readonly string[];
}

/** The ids of the people who never answer. */
export function excludedPeople(
  { exclude = [] }: PeoplePolicy = {},
  { creators, proposers = [] }: ExcludedPeople,
): readonly string[] {
  const ids = exclude.flatMap((one) => {
    if (one === CREATOR) return creators;
    return one === PROPOSERS ? proposers : one;
  });
  return [...new Set(ids)];
}
