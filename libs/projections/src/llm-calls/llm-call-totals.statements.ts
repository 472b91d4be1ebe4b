import { sql } from 'kysely';
import { statement } from '../store/statement.js';
import { callContributions, callDurations, SUMMED, TOTALS_KEY } from './llm-call-totals.js';

type OfCall = { readonly call_id: string };
type OfSolicitation = { readonly solicitationId: string };

/** Totals count the current row of a call. A statement that changes a counted column runs between `withoutCall` and `withCall`. */
export const withCall = statement<OfCall>((db, values) => changed(db, 1, 'call.call_id', values.call_id));
export const withoutCall = statement<OfCall>((db, values) => changed(db, -1, 'call.call_id', values.call_id));

/** The same for all calls of a solicitation. */
export const withCallsOf = statement<OfSolicitation>((db, values) =>
  changed(db, 1, 'call.solicitation_id', values.solicitationId),
);
export const withoutCallsOf = statement<OfSolicitation>((db, values) =>
  changed(db, -1, 'call.solicitation_id', values.solicitationId),
);

type Db = Parameters<typeof callContributions>[0];

/** The deepest fallback is no sum: it only grows. */
function changed(db: Db, sign: 1 | -1, column: 'call.call_id' | 'call.solicitation_id', id: string) {
  const own = callContributions(db).where(column, '=', id).as('own');
  const grouped = db
    .selectFrom(own)
    .select(TOTALS_KEY)
    .select(SUMMED.map((sum) => sql<number>`${sql.lit(sign)} * sum(${sql.ref(sum)})`.as(sum)))
    .select(({ fn }) => fn.max('deepest').as('deepest'))
    .groupBy(TOTALS_KEY);
  return db
    .insertInto('llm_call_totals_v10')
    .columns([...TOTALS_KEY, ...SUMMED, 'deepest'])
    .expression(grouped)
    .onConflict((conflict) =>
      conflict.columns(TOTALS_KEY).doUpdateSet((eb) => ({
        ...Object.fromEntries(
          SUMMED.map((sum) => [sum, eb(`llm_call_totals_v10.${sum}`, '+', eb.ref(`excluded.${sum}`))]),
        ),
        deepest: eb
          .case()
          .when('excluded.deepest', '>', eb.ref('llm_call_totals_v10.deepest'))
          .then(eb.ref('excluded.deepest'))
          .else(eb.ref('llm_call_totals_v10.deepest'))
          .end(),
      })),
    );
}

const DURATION = ['day', 'machine_name', 'is_evaluation', 'provider', 'model', 'duration_ms'] as const;

/** Counts how long a call took that has come to its outcome. */
export const countDuration = statement<OfCall>((db, values) =>
  db
    .insertInto('llm_call_durations_v10')
    .columns([...DURATION, 'calls'])
    .expression(callDurations(db).where('call.call_id', '=', values.call_id))
    .onConflict((conflict) =>
      conflict.columns(DURATION).doUpdateSet((eb) => ({
        calls: eb('llm_call_durations_v10.calls', '+', 1),
      })),
    ),
);
