import type { Task } from '#lib/client';

/**
 * The choices of people, in a round that needs several equal choices. The API names the transition of each and not its arguments, so the
 * size of the largest group of equal choices is known only while no two people chose the same transition.
 */
export function approvalsText({ needed, given }: Task['approvals']): string {
  const chosen = given.map(({ choice, transitionName }) => transitionName ?? choice);
  const each = given.map(({ by }, index) => `by ${by}: ${chosen[index] ?? ''}`).join(', ');
  if (given.length === 0) return `0 of ${needed}`;
  const isKnown = new Set(chosen).size === chosen.length;
  return isKnown ? `1 of ${needed} (${each})` : `given ${each}; the round needs ${needed} equal ones`;
}
