import { table } from '../store/table.js';

/** The calls of a UTC day and a machine ("" for those of none) to a model, summed up. */
export const llmCallTotalsTable = table(
  'llm_call_totals_v10',
  {
    day: 'bigint',
    machine_name: 'text',
    is_evaluation: 'integer',
    provider: 'text',
    model: 'text',
    /** 1 for the calls that report what they used: only these can be priced. */
    is_known: 'integer',
    calls: 'bigint',
    failed: 'bigint',
    pending: 'bigint',
    tool_calls: 'bigint',
    tools_answered: 'bigint',
    malformed: 'bigint',
    invalid: 'bigint',
    prompt: 'double precision',
    completion: 'double precision',
    cache_read: 'double precision',
    cache_write: 'double precision',
    reasoning: 'double precision',
    /** Calls that have an outcome, and how long these took together. */
    timed: 'bigint',
    duration_ms: 'double precision',
    /** A solicitation counts on the day of its first call to the model, with all of its fallbacks. */
    solicitations: 'bigint',
    fallbacks: 'bigint',
    deepest: 'bigint',
  },
  ['day', 'machine_name', 'is_evaluation', 'provider', 'model', 'is_known'],
);

/** How many of those calls took so long, in milliseconds of two significant digits. */
export const llmCallDurationsTable = table(
  'llm_call_durations_v10',
  {
    day: 'bigint',
    machine_name: 'text',
    is_evaluation: 'integer',
    provider: 'text',
    model: 'text',
    duration_ms: 'bigint',
    calls: 'bigint',
  },
  ['day', 'machine_name', 'is_evaluation', 'provider', 'model', 'duration_ms'],
);
