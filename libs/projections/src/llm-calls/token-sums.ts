import { sql } from 'kysely';
import type { TokenBuckets } from '#lib/calls';
import { bucketsOf } from './llm-call-record.js';

/** 1 for the calls that report what they used: only these can be priced. */
export const isUsageKnown = sql<number>`case when prompt_tokens is not null and completion_tokens is not null then 1 else 0 end`;

const sum = (column: string) => sql<number | string | null>`sum(${sql.ref(column)})`;

/** The columns of a group of calls: how many there are, and their tokens. */
export const tokenSums = [
  sql<number | string>`count(*)`.as('calls'),
  sum('prompt_tokens').as('prompt'),
  sum('completion_tokens').as('completion'),
  sum('cache_read_tokens').as('cache_read'),
  sum('cache_write_tokens').as('cache_write'),
  sum('reasoning_tokens').as('reasoning'),
] as const;

type Sum = number | string | null;

export interface TokenSums {
  readonly calls: number | string;
  readonly prompt: Sum;
  readonly completion: Sum;
  readonly cache_read: Sum;
  readonly cache_write: Sum;
  readonly reasoning: Sum;
}

/** Of a group of calls. */
export function summedBuckets(row: Omit<TokenSums, 'calls'>): TokenBuckets {
  return bucketsOf({
    prompt_tokens: Number(row.prompt),
    completion_tokens: Number(row.completion),
    cache_read_tokens: Number(row.cache_read),
    cache_write_tokens: Number(row.cache_write),
    reasoning_tokens: Number(row.reasoning),
  });
}
