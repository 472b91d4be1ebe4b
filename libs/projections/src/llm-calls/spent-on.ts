import { inputTokens, type Spending } from '#lib/calls';
import { dayOf, storedTime } from '../row/stored-time.js';
import type { Rows } from '../store/rows.js';
import { isUsageKnown, tokenSums } from './token-sums.js';
import { type CallTotals, NO_CALLS, withPriced } from './usage-of-runs.js';

/** The calls of a specialist for a session. */
interface CallsOfSpecialist {
  readonly machineName: string;
  readonly specialistId: string;
  readonly sessionId: string;
}

/**
 * The usage of a specialist's calls, those of the workflows that it asks included.
 * @param day ISO 8601: the calls that were requested on this UTC day, in all sessions; absent: those of the session
 */
export async function spentOn(
  db: Rows<'llm_calls'>,
  { machineName, specialistId, sessionId }: CallsOfSpecialist,
  day?: string,
): Promise<Spending> {
  const own = db
    .selectFrom('llm_calls_v10')
    .selectAll()
    .select(isUsageKnown.as('is_known'))
    .where('specialist_id', '=', specialistId)
    .where('machine_name', '=', machineName);
  const counted =
    day === undefined
      ? own.where('session_id', '=', sessionId)
      : own.where('day', '=', dayOf(storedTime(day)));
  const sums = await db
    .selectFrom(counted.as('call'))
    .select(['call.price', 'call.is_known'])
    .select(tokenSums)
    .groupBy(['call.price', 'call.is_known'])
    .execute();
  const { tokens, costUSD = 0 }: CallTotals = sums.reduce(withPriced, NO_CALLS);
  return { tokens: inputTokens(tokens) + tokens.output, costUSD };
}
