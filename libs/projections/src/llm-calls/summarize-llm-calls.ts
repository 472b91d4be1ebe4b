import { textFromStored } from '../row/stored-text.js';
import type { Rows } from '../store/rows.js';

/** What one model did and cost. */
export interface ModelSummary {
  readonly model: string;
  readonly calls: number;
  readonly failedCalls: number;
  /** Steps down the ladder in the solicitations that asked this model. */
  readonly fallbacks: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Mean of the calls that have an outcome; null while none has. */
  readonly meanDurationMs: number | null;
}

/** By the model that was asked for, in order of its name. */
export async function summarizeLlmCalls(db: Rows<'llm_calls'>): Promise<readonly ModelSummary[]> {
  const [calls, fallbacks] = await Promise.all([callsByModel(db), fallbacksByModel(db)]);
  const fallbacksOf = new Map(fallbacks.map(({ model, count }) => [model, Number(count)]));
  return calls.map((row) => ({
    model: textFromStored(row.model),
    calls: Number(row.calls),
    failedCalls: Number(row.failed_calls),
    fallbacks: fallbacksOf.get(row.model) ?? 0,
    inputTokens: Number(row.input_tokens ?? 0),
    outputTokens: Number(row.output_tokens ?? 0),
    meanDurationMs: row.mean_duration_ms === null ? null : Number(row.mean_duration_ms),
  }));
}

function callsByModel(db: Rows<'llm_calls'>) {
  return db
    .selectFrom('llm_calls_v1')
    .select(({ fn, eb }) => [
      'model',
      fn.countAll().as('calls'),
      fn
        .sum(eb.case().when('outcome', '=', 'failed').then(eb.lit(1)).else(eb.lit(0)).end())
        .as('failed_calls'),
      fn.sum('prompt_tokens').as('input_tokens'),
      fn.sum('completion_tokens').as('output_tokens'),
      fn.avg('duration_ms').as('mean_duration_ms'),
    ])
    .groupBy('model')
    .orderBy('model')
    .execute();
}

function fallbacksByModel(db: Rows<'llm_calls'>) {
  return db
    .selectFrom('llm_call_solicitations_v1')
    .select(({ fn }) => ['model', fn.sum('fallbacks').as('count')])
    .groupBy('model')
    .execute();
}
