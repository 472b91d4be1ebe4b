import type { AlignmentScope } from '#lib/decisions/session';
import {
  type AlignmentTally,
  scoreComparisons,
  type ScoringRule,
  scoringRules,
  scoringRuleText,
} from '#lib/decisions/specialists';
import type { Rows } from '../store/rows.js';
import { storedText } from '../store/stored-values.js';
import { recordOf, type RecordOf, type SchemaOf, storedOf } from '../store/table.js';
import { alignmentsTable, comparisonsTable } from './alignment.read-model.js';

type AlignmentTables = SchemaOf<typeof alignmentsTable | typeof comparisonsTable>;

/** The comparisons of a non-human proposer's version with decisions of people, in one scope: whole numbers. */
export interface AlignmentTallyRecord extends AlignmentTally, AlignmentScope {
  readonly specialistId: string;
  readonly specialistVersion: number;
  /** The position of the last comparison in the log. */
  readonly position: string;
}

interface TallyFilter {
  readonly machineName?: string;
  readonly specialistId?: string;
}

/**
 * The tallies of one scope, by specialist id: of the whole machine, or of one state with a separate score.
 * @param upTo a position of the log: the tallies there. Comparisons are added and never change.
 */
export async function alignmentTallies(
  db: Rows<'alignment'>,
  { machineName, state = '' }: AlignmentScope,
  upTo?: string,
): Promise<readonly AlignmentTallyRecord[]> {
  const versions = await readVersions(db, { machineName });
  if (upTo !== undefined) return talliesAt(db, versions, { machineName, state }, upTo);
  const tallies = talliesOf(versions, state);
  return tallies.map(({ number: _, ...tally }) => tally);
}

async function talliesAt(
  db: Rows<'alignment'>,
  versions: readonly Version[],
  { machineName, state }: Required<AlignmentScope>,
  upTo: string,
): Promise<readonly AlignmentTallyRecord[]> {
  const own = await readComparisons(db, { machineName }, upTo);
  const tallies = versions.flatMap(({ specialistId, specialistVersion }) => {
    const named = { machineName, ...(state !== '' && { state }), specialistId, specialistVersion };
    const all = comparisonsOf(named, versions, own, Infinity);
    const last = all.at(-1);
    if (!last) return [];
    const matchingChoices = all.filter(({ matched }) => matched).length;
    return [{ ...named, matchingChoices, totalComparisons: all.length, position: last.position }];
  });
  return tallies.toSorted(byName);
}

/** A tally as read by a query, with its inherited comparisons. */
interface ReadTally extends AlignmentTallyRecord {
  readonly number: number;
}

type Version = RecordOf<typeof alignmentsTable>;

export async function readVersions(db: Rows<'alignment'>, { machineName, specialistId }: TallyFilter) {
  const rows = await db
    .withTables<AlignmentTables>()
    .selectFrom(alignmentsTable.name)
    .selectAll()
    .where((eb) => eb.and(storedOf(alignmentsTable, { machineName, specialistId })))
    .execute();
  return rows.map((row) => recordOf(alignmentsTable, row));
}

function talliesOf(versions: readonly Version[], state: string | undefined): readonly ReadTally[] {
  const all = versions.flatMap(({ machineName, specialistId, specialistVersion, tallies }) =>
    tallies
      .filter((tally) => state === undefined || tally.state === state)
      .map((tally) => ({
        specialistId,
        machineName,
        ...(tally.state !== '' && { state: tally.state }),
        matchingChoices: tally.matching,
        totalComparisons: tally.total,
        specialistVersion,
        position: tally.position,
        number: tally.number,
      })),
  );
  return all.toSorted(byName);
}

/** By the bytes of their names, as in databases. */
function byName(one: AlignmentTallyRecord, other: AlignmentTallyRecord): number {
  return (
    inBytes(one.machineName, other.machineName) ||
    inBytes(storedText(one.state ?? ''), storedText(other.state ?? '')) ||
    inBytes(one.specialistId, other.specialistId) ||
    one.specialistVersion - other.specialistVersion
  );
}

function inBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** A tally and its score, from 0 to 1, under a rule. */
interface ScoredTally extends AlignmentTallyRecord {
  readonly alignmentScore: number;
}

/** By machine, state, specialist id and version. The counts are whole numbers, even if the score weighs old comparisons less. */
export async function scoredAlignment(
  db: Rows<'alignment'>,
  filter: TallyFilter,
  rule: ScoringRule,
): Promise<readonly ScoredTally[]> {
  const versions = await readVersions(db, filter);
  const tallies = talliesOf(versions, undefined);
  const { halfLife } = rule;
  const own = halfLife === undefined ? undefined : await readComparisons(db, filter);
  return tallies.map(({ number, ...tally }) => {
    const alignmentScore = own
      ? scoreComparisons(
          rule,
          comparisonsOf(tally, versions, own, number).map(({ matched }) => matched),
        )
      : scoringRules[rule.name].score(tally);
    return { ...tally, alignmentScore };
  });
}

interface Comparison {
  readonly number: number;
  readonly position: string;
  readonly matched: boolean;
}

/** The own comparisons of each version in each scope, without inherited ones, oldest first. */
export async function readComparisons(
  db: Rows<'alignment'>,
  { machineName, specialistId }: TallyFilter,
  upTo?: string,
): Promise<ReadonlyMap<string, readonly Comparison[]>> {
  const all = new Map<string, Comparison[]>();
  const found = db
    .withTables<AlignmentTables>()
    .selectFrom(comparisonsTable.name)
    .selectAll()
    .where((eb) => eb.and(storedOf(comparisonsTable, { machineName, specialistId })))
    .orderBy('number')
    .orderBy('place');
  const rows = await (upTo === undefined ? found : found.where('position', '<=', upTo)).execute();
  for (const row of rows) {
    const { number, position, matched, ...of } = recordOf(comparisonsTable, row);
    const known = all.get(keyOf(of)) ?? [];
    known.push({ number, position, matched });
    all.set(keyOf(of), known);
  }
  return all;
}

/** The comparisons of a tally, with those inherited from other versions. Comparisons after the tally's position are left out. */
export function comparisonsOf(
  tally: AlignmentScope & Pick<AlignmentTallyRecord, 'specialistId' | 'specialistVersion'>,
  versions: readonly Version[],
  own: ReadonlyMap<string, readonly Comparison[]>,
  until: number,
): readonly Comparison[] {
  const { machineName, specialistId, specialistVersion } = tally;
  const kept = versions.find(
    (one) =>
      one.machineName === machineName &&
      one.specialistId === specialistId &&
      one.specialistVersion === specialistVersion,
  )?.kept;
  const before = kept
    ? comparisonsOf({ ...tally, specialistVersion: kept.version }, versions, own, kept.until)
    : [];
  const counted = (own.get(keyOf(tally)) ?? []).filter(({ number }) => number <= until);
  return [...before, ...counted];
}

export function keyOf({
  machineName,
  state = '',
  specialistId,
  specialistVersion,
}: AlignmentScope & Pick<AlignmentTallyRecord, 'specialistId' | 'specialistVersion'>): string {
  return JSON.stringify([machineName, state, specialistId, specialistVersion]);
}

/** The agreement of a proposer's version with decisions of people, in the whole machine or in one state. */
export type SpecialistAlignment = Omit<ScoredTally, 'machineName' | 'position'>;

/**
 * Scores a machine's comparisons under another rule than its sessions use: by state, the whole machine first, then by specialist
 * id and version. `position` is that of the last comparison in the log. Nothing is written.
 */
export async function alignmentUnder(
  db: Rows<'alignment'>,
  { machineName, rule }: { readonly machineName: string; readonly rule: ScoringRule },
) {
  const scored = await scoredAlignment(db, { machineName }, rule);
  const position = scored
    .map((one) => one.position)
    .toSorted()
    .at(-1);
  return {
    items: scored.map(({ machineName: _, position: __, ...one }) => one),
    rule: scoringRuleText(rule),
    ruleVersion: scoringRules[rule.name].version,
    ...(position !== undefined && { position }),
  };
}
