import { deleteRow, insertOrMerge, mergeRow, pick, statement } from '#lib/projections';
import { callMetersTable, type MeterTables, openCallsTable, talliesTable } from './meters.tables.js';

const SUMS = ['duration_ms', 'input_uncached', 'cache_read', 'cache_write', 'output', 'reasoning'] as const;

/** A call with its outcome; its request gave the rest. */
const endedCall = {
  ...pick(openCallsTable.columns, ['run_id', 'step_id']),
  ...pick(callMetersTable.columns, ['outcome', 'bucket_ms', ...SUMS, 'position']),
} as const;

/** Refused where the call was never requested: an outcome without a request cannot be. */
function countCall(isPriced: boolean) {
  return statement(endedCall, (db, { run_id, step_id, ...call }) => {
    const open = db
      .withTables<MeterTables>()
      .selectFrom('open_calls_v1')
      .where('run_id', '=', run_id)
      .where('step_id', '=', step_id);
    const row = {
      ...call,
      provider: open.select('provider'),
      model: open.select('model'),
      price: isPriced ? open.select('price') : '',
      calls: 1,
      retries: open.select('is_retry'),
    };
    return insertOrMerge(db, callMetersTable, row, { add: ['calls', 'retries', ...SUMS] });
  });
}

export const countPricedCall = countCall(true);

/** Without a price, or the usage is not known. */
export const countUnpricedCall = countCall(false);

export const closeCall = deleteRow(openCallsTable, ['run_id', 'step_id']);

/** One more. */
const addToTally = mergeRow(talliesTable, { add: ['total'] });

export const count = (meter: string, label: string, detail = '') =>
  addToTally({ meter, label, detail, total: 1 });
