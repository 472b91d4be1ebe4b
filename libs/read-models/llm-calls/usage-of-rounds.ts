import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Rows } from '../store/rows.js';
import { storedUuid } from '../store/stored-values.js';
import { llmCallsTable } from './llm-calls.tables.js';

/** The reported usage of the calls of one specialist in one round of a live session. */
export interface UsageOfRound {
  readonly specialistId: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Rounds that one statement reads. */
const AT_ONCE = 500;

/** The usage of every specialist in each of these rounds. Calls without a reported usage are left out. */
export async function usageOfRounds(
  db: Rows<'llm_calls'>,
  roundIds: readonly string[],
): Promise<readonly UsageOfRound[]> {
  const found: UsageOfRound[] = [];
  for (let at = 0; at < roundIds.length; at += AT_ONCE) {
    const rows = await db
      .selectFrom(llmCallsTable.name)
      .select(['round_id', 'specialist_id'])
      .select([
        sql<number | string>`count(*)`.as('calls'),
        sql<number | string>`sum(prompt_tokens)`.as('input'),
        sql<number | string>`sum(completion_tokens)`.as('output'),
      ])
      .where('round_id', 'in', roundIds.slice(at, at + AT_ONCE).map(storedUuid))
      .where('origin', '=', 'live')
      .where('prompt_tokens', 'is not', null)
      .where('completion_tokens', 'is not', null)
      .groupBy(['round_id', 'specialist_id'])
      .execute();
    for (const { specialist_id: specialistId, calls, input, output } of rows)
      if (typeof specialistId === 'string')
        found.push({
          specialistId,
          calls: Number(calls),
          inputTokens: Number(input),
          outputTokens: Number(output),
        });
    await setImmediate();
  }
  return found;
}
