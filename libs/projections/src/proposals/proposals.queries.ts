import type { ProposalView } from '#lib/session';
import type { Rejection } from '#lib/kernel';
import { type Page, pageOf, type PageRequest } from '../paging/page.js';
import { numberInKey } from '../paging/key-in-list.js';
import type { Rows } from '../store/rows.js';
import { proposalView } from './proposal-view.js';

/** `undefined` when no row has this id. */
export async function getProposal(
  db: Rows<'decisions'>,
  proposalId: string,
): Promise<ProposalView | undefined> {
  const row = await db
    .selectFrom('proposals_v5')
    .selectAll()
    .where('proposal_id', '=', proposalId)
    .executeTakeFirst();
  return row && proposalView(row);
}

/** The proposals of a session, or of one of its rounds, in the order they arrived. */
export function listProposals(
  db: Rows<'decisions'>,
  { sessionId, roundId }: { readonly sessionId: string; readonly roundId?: string },
  request: PageRequest = {},
): Promise<Page<ProposalView> | Rejection> {
  return pageOf(request, {
    list: 'proposals',
    read: (after, limit) => {
      let query = db.selectFrom('proposals_v5').selectAll().where('session_id', '=', sessionId);
      if (roundId !== undefined) query = query.where('round_id', '=', roundId);
      if (after !== undefined) query = query.where('position', '>', numberInKey(after));
      return query.orderBy('position').limit(limit).execute();
    },
    keyOf: ({ position }) => `${position}`,
    toItems: (rows) => rows.map(proposalView),
  });
}
