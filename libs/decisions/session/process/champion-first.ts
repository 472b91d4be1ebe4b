import type { AlignmentScore } from '../consensus/alignment-snapshot.js';

/** The lowest score of a champion. */
export const CHAMPION_SCORE = 0.8;

/** The proposer with the highest alignment, if that is high enough; the first of equals. */
export function championOf(
  proposers: readonly string[],
  scores: readonly AlignmentScore[],
): string | undefined {
  const scored = proposers.map((specialistId) => ({ specialistId, score: scoreOf(specialistId, scores) }));
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score >= CHAMPION_SCORE ? best.specialistId : undefined;
}

/** The champion, then the other proposers in the order given. */
export function championFirst(
  proposers: readonly string[],
  scores: readonly AlignmentScore[],
): readonly string[] {
  const champion = championOf(proposers, scores);
  if (champion === undefined) return proposers;
  return [champion, ...proposers.filter((specialistId) => specialistId !== champion)];
}

function scoreOf(specialistId: string, scores: readonly AlignmentScore[]): number {
  return scores.find((one) => one.specialistId === specialistId)?.score ?? 0;
}
