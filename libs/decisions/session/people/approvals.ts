import { type JsonObject, sameJson } from '#lib/kernel';

/** The choice of one person in a round that needs several, recorded or about to be. */
export type Approval = {
  readonly by: string;
  readonly transitionName: string;
  readonly metaJson?: JsonObject;
  /** The proposal that the person accepts. */
  readonly proposalId?: string;
};

/** The same transition with the same arguments. */
export function isSameChoice(one: Approval, other: Approval): boolean {
  return one.transitionName === other.transitionName && sameJson(one.metaJson ?? {}, other.metaJson ?? {});
}
