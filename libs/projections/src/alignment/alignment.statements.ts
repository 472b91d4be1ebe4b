import { insertRow } from '../store/insert-row.js';
import { statement } from '../store/statement.js';
import type { RowOf } from '../store/table.js';
import { alignmentComparisonsTable, type alignmentTalliesTable } from './alignment.tables.js';

export const addComparison = insertRow(alignmentComparisonsTable);

/** Counts one comparison; `matching` is 1 when the choices were equal, else 0. */
export const countComparison = statement<Omit<RowOf<typeof alignmentTalliesTable>, 'total'>>((db, values) =>
  db
    .insertInto('alignment_tallies_v2')
    .values({
      machine_name: values.machine_name,
      state: values.state,
      specialist_id: values.specialist_id,
      specialist_version: values.specialist_version,
      matching: values.matching,
      total: 1,
      position: values.position,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['machine_name', 'state', 'specialist_id', 'specialist_version'])
        .doUpdateSet((eb) => ({
          matching: eb('alignment_tallies_v2.matching', '+', values.matching),
          total: eb('alignment_tallies_v2.total', '+', 1),
          position: values.position,
        })),
    ),
);

type Versions = { machine_name: string; specialist_id: string; from: number; to: number };

/** A version takes over the comparisons of another one, as they are now. */
export const copyComparisons = statement<Versions>((db, values) =>
  db
    .insertInto('alignment_comparisons_v2')
    .columns([
      'proposal_id',
      'session_id',
      'round_id',
      'specialist_id',
      'specialist_version',
      'machine_name',
      'state',
      'matched',
      'decided_at',
      'position',
    ])
    .expression((eb) =>
      eb
        .selectFrom('alignment_comparisons_v2 as old')
        .select([
          'old.proposal_id',
          'old.session_id',
          'old.round_id',
          'old.specialist_id',
          eb.cast<number>(eb.val(values.to), 'integer').as('specialist_version'),
          'old.machine_name',
          'old.state',
          'old.matched',
          'old.decided_at',
          'old.position',
        ])
        .where('old.machine_name', '=', values.machine_name)
        .where('old.specialist_id', '=', values.specialist_id)
        .where('old.specialist_version', '=', values.from),
    ),
);

export const copyTallies = statement<Versions>((db, values) =>
  db
    .insertInto('alignment_tallies_v2')
    .columns([
      'machine_name',
      'state',
      'specialist_id',
      'specialist_version',
      'matching',
      'total',
      'position',
    ])
    .expression((eb) =>
      eb
        .selectFrom('alignment_tallies_v2 as old')
        .select([
          'old.machine_name',
          'old.state',
          'old.specialist_id',
          eb.cast<number>(eb.val(values.to), 'integer').as('specialist_version'),
          'old.matching',
          'old.total',
          'old.position',
        ])
        .where('old.machine_name', '=', values.machine_name)
        .where('old.specialist_id', '=', values.specialist_id)
        .where('old.specialist_version', '=', values.from),
    ),
);
