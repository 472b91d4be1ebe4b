/** The choice of one person, if several people have to make the same choice. */
interface Given {
  readonly by: string;
}

/** The approvals in the order of the last choices, one of each person. */
export function withApproval<One extends Given>(given: readonly One[], next: One): readonly One[] {
  return [...given.filter(({ by }) => by !== next.by), next];
}

/** The number of people whose choice is the same as the last one. */
export function agreeing<One extends Given>(
  given: readonly One[],
  isSame: (one: One, other: One) => boolean,
): number {
  const last = given.at(-1);
  return last === undefined ? 0 : given.filter((one) => isSame(one, last)).length;
}
