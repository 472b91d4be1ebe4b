import { type JsonObject, sameJson } from '#lib/kernel';

/** The choice of one person in a round that needs several people, recorded or still to be recorded. */
export type Approval = {
  readonly by: string;
  readonly transitionName: string;
  readonly metaJson?: JsonObject;
  /** The proposal that the person accepts. */
  readonly proposalId?: string;
};

/** The approvals of a round, in the order of the last choices: one of each person. */
export function withApproval(given: readonly Approval[], next: Approval): readonly Approval[] {
  return [...given.filter(({ by }) => by !== next.by), next];
}

/** How many people have chosen the same as the last one. */
export function agreeing(given: readonly Approval[]): number {
  const last = given.at(-1);
  return last ? given.filter((one) => isSameChoice(one, last)).length : 0;
}

/** The same transition with the same arguments. */
export function isSameChoice(one: Approval, other: Approval): boolean {
  return one.transitionName === other.transitionName && sameJson(one.metaJson ?? {}, other.metaJson ?? {});
}
