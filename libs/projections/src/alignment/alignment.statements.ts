import { insertRow } from '../store/insert-row.js';
import { statement } from '../store/statement.js';
import type { RowOf } from '../store/table.js';
import { alignmentComparisonsTable, type alignmentTalliesTable } from './alignment.tables.js';

export const addComparison = insertRow(alignmentComparisonsTable);

/** One comparison more; `matching` is 1 where the choices were the same, else 0. */
export const countComparison = statement<Omit<RowOf<typeof alignmentTalliesTable>, 'total'>>((db, given) =>
  db
    .insertInto('alignment_tallies_v1')
    .values({
      machine_name: given.machine_name,
      state: given.state,
      specialist_id: given.specialist_id,
      matching: given.matching,
      total: 1,
      position: given.position,
    })
    .onConflict((conflict) =>
      conflict.columns(['machine_name', 'state', 'specialist_id']).doUpdateSet((eb) => ({
        matching: eb('alignment_tallies_v1.matching', '+', given.matching),
        total: eb('alignment_tallies_v1.total', '+', 1),
        position: given.position,
      })),
    ),
);
