import { type Change, statement } from '#lib/projections';
import type { MeterTables } from './meters.tables.js';

/** A call with its outcome, as the row of its sums takes it; its request gave the rest. */
export type EndedCall = { readonly runId: string; readonly stepId: string } & Omit<
  MeterTables['call_meters_v1'],
  'provider' | 'model' | 'price' | 'calls' | 'retries'
>;

const ADDED = [
  'calls',
  'retries',
  'duration_ms',
  'input_uncached',
  'cache_read',
  'cache_write',
  'output',
  'reasoning',
] as const;

/** Refused where the call was never requested: an outcome without a request cannot be. */
function countCall(isPriced: boolean): (call: EndedCall) => Change {
  return statement<EndedCall>((connection, values) => {
    const db = connection.withTables<MeterTables>();
    const open = db
      .selectFrom('open_calls_v1')
      .where('run_id', '=', values.runId)
      .where('step_id', '=', values.stepId);
    return db
      .insertInto('call_meters_v1')
      .values({
        provider: open.select('provider'),
        model: open.select('model'),
        outcome: values.outcome,
        price: isPriced ? open.select('price') : '',
        bucket_ms: values.bucket_ms,
        calls: 1,
        retries: open.select('is_retry'),
        duration_ms: values.duration_ms,
        input_uncached: values.input_uncached,
        cache_read: values.cache_read,
        cache_write: values.cache_write,
        output: values.output,
        reasoning: values.reasoning,
        position: values.position,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['provider', 'model', 'outcome', 'price', 'bucket_ms'])
          .doUpdateSet((eb) =>
            Object.fromEntries(
              ADDED.map((name) => [name, eb(`call_meters_v1.${name}`, '+', eb.ref(`excluded.${name}`))]),
            ),
          ),
      );
  });
}

export const countPricedCall = countCall(true);

/** Without a price, or the usage is not known. */
export const countUnpricedCall = countCall(false);

export const closeCall = statement<{ runId: string; stepId: string }>((db, { runId, stepId }) =>
  db
    .withTables<MeterTables>()
    .deleteFrom('open_calls_v1')
    .where('run_id', '=', runId)
    .where('step_id', '=', stepId),
);

type Tally = { meter: string; label: string; detail: string };

/** One more. */
export const count = statement<Tally>((db, { meter, label, detail }) =>
  db
    .withTables<MeterTables>()
    .insertInto('tallies_v1')
    .values({ meter, label, detail, total: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['meter', 'label', 'detail'])
        .doUpdateSet((eb) => ({ total: eb('tallies_v1.total', '+', 1) })),
    ),
);
