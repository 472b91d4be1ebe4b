import { flag, freeText, type SchemaOf, table, uuid } from '#lib/read-models';

/** Calls of models that have no outcome yet. */
export const openCallsTable = table(
  'open_calls_v1',
  {
    run_id: uuid,
    step_id: 'text',
    provider: freeText,
    model: freeText,
    /** JSON text; "" if none was in force. */
    price: 'text',
    is_retry: flag,
  },
  ['run_id', 'step_id'],
);

/** Calls of models that ended, summed up. */
export const callMetersTable = table(
  'call_meters_v1',
  {
    provider: freeText,
    model: freeText,
    outcome: 'text',
    /** JSON text; "" if the calls have no known cost. */
    price: 'text',
    /** The upper bound of their durations. */
    bucket_ms: 'integer',
    calls: 'double precision',
    retries: 'double precision',
    duration_ms: 'double precision',
    input_uncached: 'double precision',
    cache_read: 'double precision',
    cache_write: 'double precision',
    output: 'double precision',
    reasoning: 'double precision',
    /** The position of the first of them. */
    position: 'text',
  },
  ['provider', 'model', 'outcome', 'price', 'bucket_ms'],
);

/** Numbers of events by at most two labels. */
export const talliesTable = table(
  'tallies_v1',
  { meter: 'text', label: 'text', detail: 'text', total: 'double precision' },
  ['meter', 'label', 'detail'],
);

export type MeterTables = SchemaOf<typeof openCallsTable | typeof callMetersTable | typeof talliesTable>;
