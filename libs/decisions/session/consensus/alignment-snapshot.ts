/** The alignment of an author at the evaluation of a round. */
export interface AlignmentScore {
  readonly specialistId: string;
  readonly specialistVersion: number;
  /** From 0 to 1. A human's is 1; without comparisons it is 0. */
  readonly score: number;
  /** The number of comparisons with people. Absent: none. */
  readonly comparisons?: number;
}

/** The alignment of all possible authors, and its source. */
export interface AlignmentSnapshot {
  /** The scoring rule, and its version. */
  readonly rule: string;
  readonly ruleVersion: number;
  /** The position of the last comparison in the scores; absent without comparisons. */
  readonly position?: string;
  readonly scores: readonly AlignmentScore[];
}

/** The author of a proposal. */
export type Author = Pick<AlignmentScore, 'specialistId' | 'specialistVersion'> & {
  readonly isHuman: boolean;
};

/** The alignment of a proposal's author: always 1 for a human, 0 for an unknown author. */
export function alignmentOf(author: Author, snapshot: AlignmentSnapshot): number {
  if (author.isHuman) return 1;
  return Math.min(1, Math.max(0, scoreOf(author, snapshot)?.score ?? 0));
}

/** The alignment of an author in the version of the proposal. */
export function scoreOf(
  { specialistId, specialistVersion }: Author,
  { scores }: AlignmentSnapshot,
): AlignmentScore | undefined {
  return scores.find(
    (one) => one.specialistId === specialistId && one.specialistVersion === specialistVersion,
  );
}
