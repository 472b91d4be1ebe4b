import type { Activity, CallContext, Outcome } from '#lib/workflow';
import { type BudgetCheck, budgetCheckRules, type Spending } from '#lib/call-rules';
import type { Clock, JsonObject } from '#lib/kernel';
import type { ReadSide } from '#lib/operations/core';
import {
  ProjectionBehind,
  type ReadStore,
  runsThatSpend,
  spentOn,
  StreamStandsStill,
} from '#lib/read-models';

const NOTHING: Spending = { tokens: 0, costUSD: 0 };

/**
 * Reads the spending of a specialist's calls, of all that are in the log when the check begins. Concurrent sessions may exceed a budget by the calls
 * that are open. While a run whose calls count stands still in the rows, the spending is unknown, and the check fails.
 */
export function budgetActivity(reads: ReadSide, store: ReadStore, clock: Clock): Activity {
  const spent = async ({ per, ...whose }: BudgetCheck): Promise<Spending> => {
    if (per === 'call') return NOTHING;
    await reads.waitForHead(['llm_calls']);
    await reads.checkWhole(['llm_calls'], async (still) => {
      const runs = await runsThatSpend(store.db, whose, per === 'session');
      return still.find(({ id }) => runs.has(id));
    });
    return spentOn(store.db, whose, per === 'session' ? undefined : clock.now().toISOString());
  };
  return {
    ...budgetCheckRules,
    preflight: () => undefined,
    perform: async (request: JsonObject, { signal }: CallContext): Promise<Outcome> => {
      const check = request as JsonObject & BudgetCheck;
      try {
        return { completed: { spent: await spent(check), max: check.max } };
      } catch (error) {
        const isStill = error instanceof StreamStandsStill;
        if (!isStill && !(error instanceof ProjectionBehind)) throw error;
        const kind = isStill ? 'stands-still' : signal.aborted ? 'interrupted' : 'behind';
        const { message } = error;
        return { failed: { failure: { kind, message, retryable: !isStill, durationMs: 0 } } };
      }
    },
  };
}
