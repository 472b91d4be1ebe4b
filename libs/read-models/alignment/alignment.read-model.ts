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

/** The comparisons of a version in one scope, counted. */
export interface Tally {
  /** "" if the whole machine counts. */
  readonly state: string;
  readonly matching: number;
  readonly total: number;
  /** Of the last comparison. */
  readonly position: string;
  readonly number: number;
}

/** A version that took over the comparisons of another one, as they were then: what either learns later is its own. */
export interface KeptAlignment {
  readonly version: number;
  /** The number of the event that took them over. */
  readonly until: number;
}

/** How often a version of a proposer that is not human chose what people chose. */
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

/** The proposals of versions of proposers that are not human in rounds that a person decided. */
export const comparisonsTable = foldedTable(
  'alignment_comparisons',
  {
    /** Of the person's decision. */
    number: 'bigint',
    position: 'text',
    /** Its place among the proposals of the round. */
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

/** Proposals of people are not compared, nor are proposals in sessions with an inline machine, nor what was copied. */
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

/** How often each version of a proposer chose what people chose. */
export const alignmentModel: ReadModel<'alignment'> = {
  name: 'alignment',
  kinds: [alignments, comparisons],
  on: { session: onSession, exemplars: onImport, specialist: onSpecialist },
};
