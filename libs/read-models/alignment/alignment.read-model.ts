import type { RecordedEvent } from '#lib/kernel';
import type { ExemplarImported, HumanOverrideAccepted, SessionEvent } from '#lib/decisions/session';
import type { ProposerRegistered, SpecialistEvent } from '#lib/decisions/specialists';
import {
  type DocOf,
  documents,
  facts,
  type FoldOf,
  type Folds,
  type NumberedEvent,
  type Page,
  type ReadModel,
  type Ref,
} from '../loop/declare.js';
import { foldedTable } from '../loop/folded-table.js';
import { flag, freeText, json, optional } from '../store/columns.js';

/** The counted comparisons of a version in one scope. */
export interface Tally {
  /** "" for the whole machine. */
  readonly state: string;
  readonly matching: number;
  readonly total: number;
  /** The position of the last comparison. */
  readonly position: string;
  readonly number: number;
}

/** A version that inherited the comparisons of another one. Later comparisons count for each version alone. */
export interface KeptAlignment {
  readonly version: number;
  /** The number of the event of the inheritance. */
  readonly until: number;
}

/** The comparisons of non-human proposers' versions with decisions of people, counted. */
export const alignmentsTable = foldedTable(
  'alignments',
  {
    alignment_id: 'text',
    machine_name: 'text',
    specialist_id: 'text',
    specialist_version: 'integer',
    tallies: json<readonly Tally[]>(),
    kept: optional(json<KeptAlignment>()),
  },
  ['alignment_id'],
  [['machine_name'], ['specialist_id']],
);

/** The proposals of non-human proposers' versions in rounds that a person decided. */
export const comparisonsTable = foldedTable(
  'alignment_comparisons',
  {
    /** The number of the event of the person's decision. */
    number: 'bigint',
    position: 'text',
    /** The index of the proposal in its round. */
    place: 'integer',
    specialist_id: 'text',
    specialist_version: 'integer',
    machine_name: 'text',
    state: freeText,
    matched: flag,
  },
  ['number', 'place'],
  [['machine_name', 'number']],
);

const alignments = documents(alignmentsTable, 'alignment_id');
const comparisons = facts(comparisonsTable);

type Decision = HumanOverrideAccepted | ExemplarImported;
type Proposal = Decision['data']['proposals'][number];
type Version = Pick<DocOf<typeof alignmentsTable>, 'machineName' | 'specialistId' | 'specialistVersion'>;

const decided: FoldOf<Decision> = { needs: comparedVersions, fold: compared };
const onSession: Folds<SessionEvent> = { HumanOverrideAccepted: decided };
const onImport: Folds<ExemplarImported> = { ExemplarImported: decided };
const onSpecialist: Folds<SpecialistEvent> = {
  ProposerRegistered: { needs: keptVersions, fold: keptAlignment },
};

/** Not compared: proposals of people, proposals in sessions with an inline machine, and copied events. */
function proposalsCompared({ data, metadata }: RecordedEvent<Decision>): readonly Proposal[] {
  const { scope, proposals } = data;
  return scope && !metadata.copied ? proposals.filter(({ isHuman }) => !isHuman) : [];
}

function comparedVersions(event: RecordedEvent<Decision>): readonly Ref[] {
  const machineName = event.data.scope?.machineName ?? '';
  return proposalsCompared(event).map((one) => [alignments, idOf({ ...one, machineName })]);
}

function compared(page: Page, event: NumberedEvent<Decision>): void {
  const { data, position, number } = event;
  const { machineName = '', state = '' } = data.scope ?? {};
  for (const [place, { specialistId, specialistVersion, transitionName }] of proposalsCompared(
    event,
  ).entries()) {
    const matched = transitionName === data.transitionName;
    const version = { machineName, specialistId, specialistVersion };
    page.add(comparisons, { ...version, number, position, place, state, matched });
    const alignmentId = idOf(version);
    const known = page.change(alignments, alignmentId);
    const before = known?.tallies.find((one) => one.state === state);
    const tally = {
      state,
      matching: (before?.matching ?? 0) + (matched ? 1 : 0),
      total: (before?.total ?? 0) + 1,
      position,
      number,
    };
    if (!known) page.put(alignments, { ...version, alignmentId, tallies: [tally] });
    else known.tallies = [...known.tallies.filter((one) => one !== before), tally];
  }
}

function keptVersions({ data }: RecordedEvent<ProposerRegistered>): readonly Ref[] {
  const { machineName, specialistId, version, alignmentOf } = data;
  if (alignmentOf === undefined) return [];
  return [alignmentOf, version].map((specialistVersion) => [
    alignments,
    idOf({ machineName, specialistId, specialistVersion }),
  ]);
}

function keptAlignment(page: Page, { data, number }: NumberedEvent<ProposerRegistered>): void {
  const { machineName, specialistId, version, alignmentOf } = data;
  if (alignmentOf === undefined) return;
  const before = page.see(alignments, idOf({ machineName, specialistId, specialistVersion: alignmentOf }));
  if (!before) return;
  const one = { machineName, specialistId, specialistVersion: version };
  const kept = { version: alignmentOf, until: number };
  page.put(alignments, { ...one, alignmentId: idOf(one), tallies: before.tallies, kept });
}

function idOf({ machineName, specialistId, specialistVersion }: Version): string {
  return JSON.stringify([machineName, specialistId, specialistVersion]);
}

/** The counted comparisons of each version of a proposer with decisions of people. */
export const alignmentModel: ReadModel<'alignment'> = {
  name: 'alignment',
  kinds: [alignments, comparisons],
  on: { session: onSession, exemplars: onImport, specialist: onSpecialist },
};
