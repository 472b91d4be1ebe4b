import type { RecordedEvent } from '#lib/kernel';
import type { ExemplarImported, HumanOverrideAccepted, SessionEvent } from '#lib/decisions/session';
import type { ProposerRegistered, SpecialistEvent } from '#lib/decisions/specialists';
import type { Handlers, Projection } from '../runner/projection.js';
import { flag, freeText, uuid } from '../store/columns.js';
import { insertRow, insertRows, mergeRow } from '../store/row-changes.js';
import type { Change } from '../store/statement.js';
import { table } from '../store/table.js';

/**
 * The proposals of versions of proposers that are not human in rounds that a person decided, and those that a version took
 * over from the one before. `state` is "" if the whole machine counts.
 */
export const alignmentComparisonsTable = table(
  'alignment_comparisons_v3',
  {
    proposal_id: uuid,
    specialist_id: 'text',
    specialist_version: 'integer',
    machine_name: 'text',
    state: freeText,
    matched: flag,
    /** The position of the person's decision. */
    position: 'text',
  },
  ['proposal_id', 'specialist_version'],
  [['machine_name', 'position']],
);

/** The comparisons, counted. */
export const alignmentTalliesTable = table(
  'alignment_tallies_v3',
  {
    machine_name: 'text',
    state: freeText,
    specialist_id: 'text',
    specialist_version: 'integer',
    matching: 'integer',
    total: 'integer',
    /** The position of the last comparison. */
    position: 'text',
  },
  ['machine_name', 'state', 'specialist_id', 'specialist_version'],
  [['specialist_id']],
);

const addComparison = insertRow(alignmentComparisonsTable);
const countComparison = mergeRow(alignmentTalliesTable, {
  add: ['matching', 'total'],
  replace: ['position'],
});

const versionColumns = {
  machine_name: 'text',
  specialist_id: 'text',
  from: 'integer',
  to: 'integer',
} as const;

/** A version takes over the rows of another one, as they are now. */
const copyComparisons = insertRows(alignmentComparisonsTable, versionColumns, (db, version) =>
  db
    .selectFrom('alignment_comparisons_v3')
    .select(['proposal_id', 'specialist_id', 'machine_name', 'state', 'matched', 'position'])
    .select((eb) => eb.cast<number>(eb.val(version.to), 'integer').as('specialist_version'))
    .where('machine_name', '=', version.machine_name)
    .where('specialist_id', '=', version.specialist_id)
    .where('specialist_version', '=', version.from),
);
const copyTallies = insertRows(alignmentTalliesTable, versionColumns, (db, version) =>
  db
    .selectFrom('alignment_tallies_v3')
    .select(['machine_name', 'state', 'specialist_id', 'matching', 'total', 'position'])
    .select((eb) => eb.cast<number>(eb.val(version.to), 'integer').as('specialist_version'))
    .where('machine_name', '=', version.machine_name)
    .where('specialist_id', '=', version.specialist_id)
    .where('specialist_version', '=', version.from),
);

const onSession: Handlers<SessionEvent> = { HumanOverrideAccepted: compared };
const onImport: Handlers<ExemplarImported> = { ExemplarImported: compared };
const onSpecialist: Handlers<SpecialistEvent> = { ProposerRegistered: keptAlignment };

/** Proposals of people are not compared, nor are proposals in sessions with an inline machine. */
function compared({ data, position }: RecordedEvent<HumanOverrideAccepted | ExemplarImported>): Change[] {
  if (!data.scope) return [];
  const { machineName, state = '' } = data.scope;
  const machines = data.proposals.filter(({ isHuman }) => !isHuman);
  return machines.flatMap(({ proposalId, specialistId, specialistVersion, transitionName }) => {
    const matched = transitionName === data.transitionName;
    const one = { machineName, state, specialistId, specialistVersion, position };
    return [
      addComparison({ ...one, proposalId, matched }),
      countComparison({ ...one, matching: matched ? 1 : 0, total: 1 }),
    ];
  });
}

/** A version that keeps the alignment of another one has a copy of it: what either learns later is its own. */
function keptAlignment({ data }: ProposerRegistered): Change[] {
  const { machineName, specialistId, version: to, alignmentOf: from } = data;
  if (from === undefined) return [];
  const versions = { machineName, specialistId, from, to };
  return [copyComparisons(versions), copyTallies(versions)];
}

/** How often each version of a proposer chose what people chose. */
export const alignmentProjection: Projection<'alignment'> = {
  name: 'alignment',
  version: 3,
  tables: [alignmentComparisonsTable, alignmentTalliesTable],
  on: { session: onSession, exemplars: onImport, specialist: onSpecialist },
};
