import { isJsonObject, type JsonObject } from '#lib/kernel';
import { type Spending, spendingMembers, spendingOf, type Verdict } from '#lib/decisions/session';

/**
 * Reads an arbiter's answer member by member, because functions and webhooks may answer anything. Unknown members are left out,
 * as are a winner without consensus and a cost that is not an amount. An answer that is not a verdict gives the reason.
 */
export function readVerdict(said: unknown): Verdict | { readonly unusable: string } {
  if (!isJsonObject(said)) return unusable('it is no object');
  const { consensusReached, winningProposalId, reasoning = '', margin } = said;
  const spent = spendingOf(amountsIn(said));
  if (typeof consensusReached !== 'boolean') return unusable('consensusReached is neither true nor false');
  if (typeof reasoning !== 'string') return unusable('reasoning is no text');
  // JSON has numbers that no event can hold, such as 1e999.
  if (margin !== undefined && !(typeof margin === 'number' && Number.isFinite(margin)))
    return unusable('margin is no finite number');
  const measured = margin !== undefined && { margin };
  if (!consensusReached) return { consensusReached, reasoning, ...measured, ...spent };
  if (typeof winningProposalId !== 'string' || winningProposalId === '')
    return unusable('missing winner: consensusReached is true, and winningProposalId names nothing');
  return { consensusReached, winningProposalId, reasoning, ...measured, ...spent };
}

function unusable(what: string): { readonly unusable: string } {
  return { unusable: what };
}

function amountsIn(said: JsonObject): Spending {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => spendingMembers.costUSD.fits(value)));
}
