/** The alignment of an author as it was known when a round was evaluated. */
export interface AlignmentScore {
  readonly specialistId: string;
  readonly specialistVersion: number;
  /** From 0 to 1. A human's is 1; without a comparison it is 0. */
  readonly score: number;
  /** How often it was compared with people. Absent: never. */
  readonly comparisons?: number;
}

/** The alignment of everyone who may propose, and where it comes from. */
export interface AlignmentSnapshot {
  /** The scoring rule, and the version of it. */
  readonly rule: string;
  readonly ruleVersion: number;
  /** Log position of the last comparison that the scores hold; absent before anything was compared. */
  readonly position?: string;
  readonly scores: readonly AlignmentScore[];
}

/** The author of a proposal. */
export type Author = Pick<AlignmentScore, 'specialistId' | 'specialistVersion'> & {
  readonly isHuman: boolean;
};

/** Alignment of a proposal's author: always 1 for a human, 0 for somebody unknown. */
export function alignmentOf(author: Author, snapshot: AlignmentSnapshot): number {
  if (author.isHuman) return 1;
  return Math.min(1, Math.max(0, scoreOf(author, snapshot)?.score ?? 0));
}

/** The alignment of an author in the version that proposed. */
export function scoreOf(
  { specialistId, specialistVersion }: Author,
  { scores }: AlignmentSnapshot,
): AlignmentScore | undefined {
  return scores.find(
    (one) => one.specialistId === specialistId && one.specialistVersion === specialistVersion,
  );
}
