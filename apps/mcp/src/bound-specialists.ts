import { refuse } from '#lib/operations/core';
import type { Operation } from '#lib/operations';
import { jsonText, reject } from '#lib/kernel';
import { SubmitProposal } from '#lib/decisions/driving';
import type { Connection } from './connection.js';

/**
 * A connection states proposals only in the names of the specialists that it is bound to: otherwise a proposer that was never asked would
 * count as agreeing. Without a transition the proposer itself is asked.
 * @throws RejectionError `not-bound`
 */
export function refuseUnbound({ as = [] }: Connection, { type }: Operation, input: object): void {
  if (type !== SubmitProposal) return;
  const { specialistId, transitionName } = input as { readonly [name in keyof SubmitProposal]?: unknown };
  if (transitionName === undefined || specialistId === undefined) return;
  if (as.some((one) => one === specialistId)) return;
  refuse(
    reject('forbidden', 'not-bound', {
      what: `a proposal in the name of ${jsonText(specialistId).slice(0, 128)}`,
      why: 'this connection is not bound to that specialist',
      fix: 'Leave out transitionName, so that the specialist is asked, or start redial mcp with --as and its id',
    }),
  );
}
