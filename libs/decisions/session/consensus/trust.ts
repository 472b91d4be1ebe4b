import { ownMember } from '#lib/kernel';
import type { MachineDefinition, TrustPolicy } from '#lib/decisions/machines';
import { alignmentOf, type AlignmentSnapshot, type Author, scoreOf } from './alignment-snapshot.js';

/** The state's policy, else the machine's, else the arbiter's; each replaces the others as a whole. */
export function effectiveTrust(
  { machine, currentState }: { readonly machine: MachineDefinition; readonly currentState: string },
  arbiter: { readonly trust?: TrustPolicy },
): TrustPolicy | undefined {
  return ownMember(machine.states, currentState)?.trust ?? machine.trust ?? arbiter.trust;
}

/** The alignment and the policy for weighing proposals. */
export interface Weighing {
  readonly alignment: AlignmentSnapshot;
  /** Absent: all authors are trusted. */
  readonly trust?: TrustPolicy;
}

/** People are always trusted. */
export function isTrusted(author: Author, { alignment, trust }: Weighing): boolean {
  if (author.isHuman || trust === undefined) return true;
  const { minComparisons = 0, minAlignment = 0 } = trust;
  const comparisons = scoreOf(author, alignment)?.comparisons ?? 0;
  return comparisons >= minComparisons && alignmentOf(author, alignment) >= minAlignment;
}

/** From 0 to 1: the alignment of a trusted author, 0 for others. */
export function weightOf(author: Author, weighing: Weighing): number {
  return isTrusted(author, weighing) ? alignmentOf(author, weighing.alignment) : 0;
}
