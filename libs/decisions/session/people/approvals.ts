import { sameJson } from '#lib/kernel';
import type { ApprovalGiven } from '../session.events.js';

/** The choice of one person in a round that needs several, recorded or about to be. */
export type Approval = Pick<ApprovalGiven['data'], 'by' | 'transitionName' | 'metaJson' | 'proposalId'>;

/** The same transition with the same arguments. */
export function isSameChoice(one: Approval, other: Approval): boolean {
  return one.transitionName === other.transitionName && sameJson(one.metaJson ?? {}, other.metaJson ?? {});
}
