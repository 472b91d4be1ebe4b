import { foldedTable, freeText, type SchemaOf, totals } from '#lib/read-models';

/** Sums over calls. */
const sums = {
  calls: 'double precision',
  retries: 'double precision',
  duration_ms: 'double precision',
  input_uncached: 'double precision',
  cache_read: 'double precision',
  cache_write: 'double precision',
  output: 'double precision',
  reasoning: 'double precision',
} as const;

/** Sums over the ended calls of models. */
const callMetersTable = foldedTable(
  'call_meters',
  {
    provider: freeText,
    model: freeText,
    outcome: 'text',
    /** JSON text; "" for calls without a known cost. */
    price: 'text',
    /** The upper bound of the durations. */
    bucket_ms: 'integer',
    ...sums,
    /** The number of the first call. */
    number: 'bigint',
  },
  ['provider', 'model', 'outcome', 'price', 'bucket_ms'],
);

/** Numbers of events by at most two labels. */
const talliesTable = foldedTable(
  'tallies',
  { meter: 'text', label: 'text', detail: 'text', total: 'double precision' },
  ['meter', 'label', 'detail'],
);

export const callMeters = totals(callMetersTable, { add: Object.keys(sums) as (keyof typeof sums)[] });
export const tallies = totals(talliesTable, { add: ['total'] });

export type CallMeterRow = SchemaOf<typeof callMetersTable>[typeof callMetersTable.name];
export type MeterTables = SchemaOf<typeof callMetersTable | typeof talliesTable>;
