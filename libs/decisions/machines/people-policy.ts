/** The rules about the people who decide a round. */
export type PeoplePolicy = {
  /** With these or `people`, exactly those decide; without both, the people of the human specialists. */
  readonly groups?: readonly string[];
  readonly people?: readonly string[];
  /** The people who never decide: the creator of the session, the authors of proposals of the round, persons by their ids. */
  readonly exclude?: readonly string[];
  /** How many people have to choose the same transition with the same arguments. Default: 1. */
  readonly approvals?: number;
  /** From 0 to 100. Default: 50. */
  readonly priority?: number;
};

/** Words in `exclude` that are no ids of persons. */
export const CREATOR = 'creator';
export const PROPOSERS = 'proposers';
