import type { AlignmentScope } from '#lib/decisions/session';
import {
  type AlignmentTally,
  scoreComparisons,
  type ScoringRule,
  scoringRules,
  scoringRuleText,
} from '#lib/decisions/specialists';
import type { Rows } from '../store/rows.js';
import { textFromStored } from '../store/stored-values.js';
import { storedOf } from '../store/table.js';
import { alignmentComparisonsTable, alignmentTalliesTable } from './alignment.read-model.js';

/** How often a version of a proposer that is not human chose what people chose, in a scope: whole numbers. */
export interface AlignmentTallyRecord extends AlignmentTally, AlignmentScope {
  readonly specialistId: string;
  readonly specialistVersion: number;
  /** The position of the last comparison in the log. */
  readonly position: string;
}

/** The scope of tallies. A `state` of "" is the scope of the whole machine. */
interface TallyFilter {
  readonly machineName?: string;
  readonly state?: string;
  readonly specialistId?: string;
}

/**
 * The tallies of one scope: those of the whole machine, or of one state that is scored separately. By specialist id.
 * @param upTo a position of the log: as they were there. Comparisons are added and never change.
 */
export function alignmentTallies(
  db: Rows<'alignment'>,
  { machineName, state = '' }: AlignmentScope,
  upTo?: string,
): Promise<readonly AlignmentTallyRecord[]> {
  return upTo === undefined
    ? readTallies(db, { machineName, state })
    : talliesAt(db, { machineName, state }, upTo);
}

async function talliesAt(
  db: Rows<'alignment'>,
  filter: Required<AlignmentScope>,
  upTo: string,
): Promise<readonly AlignmentTallyRecord[]> {
  const rows = await db
    .selectFrom('alignment_comparisons_v3')
    .select(['specialist_id', 'specialist_version'])
    .select(({ fn }) => [
      fn.sum('matched').as('matching'),
      fn.countAll().as('total'),
      fn.max('position').as('position'),
    ])
    .where((eb) => eb.and(storedOf(alignmentComparisonsTable, filter)))
    .where('position', '<=', upTo)
    .groupBy(['specialist_id', 'specialist_version'])
    .orderBy('specialist_id')
    .orderBy('specialist_version')
    .execute();
  return rows.map((row) => ({
    specialistId: row.specialist_id,
    machineName: filter.machineName,
    ...(filter.state !== '' && { state: filter.state }),
    matchingChoices: Number(row.matching),
    totalComparisons: Number(row.total),
    specialistVersion: row.specialist_version,
    position: row.position,
  }));
}

/** By machine, state, specialist id and version. */
async function readTallies(
  db: Rows<'alignment'>,
  filter: TallyFilter,
): Promise<readonly AlignmentTallyRecord[]> {
  const rows = await db
    .selectFrom('alignment_tallies_v3')
    .selectAll()
    .where((eb) => eb.and(storedOf(alignmentTalliesTable, filter)))
    .orderBy('machine_name')
    .orderBy('state')
    .orderBy('specialist_id')
    .orderBy('specialist_version')
    .execute();
  return rows.map((row) => ({
    specialistId: row.specialist_id,
    machineName: row.machine_name,
    ...(row.state !== '' && { state: textFromStored(row.state) }),
    matchingChoices: row.matching,
    totalComparisons: row.total,
    specialistVersion: row.specialist_version,
    position: row.position,
  }));
}

/** A tally and its score, from 0 to 1, under a rule. */
interface ScoredTally extends AlignmentTallyRecord {
  readonly alignmentScore: number;
}

/** By machine, state, specialist id and version. The counts are whole, even if the score weighs old comparisons less. */
export async function scoredAlignment(
  db: Rows<'alignment'>,
  filter: Omit<TallyFilter, 'state'>,
  rule: ScoringRule,
): Promise<readonly ScoredTally[]> {
  const tallies = await readTallies(db, filter);
  if (rule.halfLife === undefined) {
    const { score } = scoringRules[rule.name];
    return tallies.map((tally) => ({ ...tally, alignmentScore: score(tally) }));
  }
  const comparisons = await readComparisons(db, filter, tallies);
  return tallies.map((tally) => ({
    ...tally,
    alignmentScore: scoreComparisons(rule, comparisons.get(keyOf(tally)) ?? []),
  }));
}

/** The comparisons that these tallies counted, the oldest first; none that came while they were read. */
async function readComparisons(
  db: Rows<'alignment'>,
  { machineName, specialistId }: TallyFilter,
  tallies: readonly AlignmentTallyRecord[],
): Promise<ReadonlyMap<string, readonly boolean[]>> {
  const until = new Map(tallies.map((tally) => [keyOf(tally), tally.position]));
  const matches = new Map<string, boolean[]>();
  const rows = await db
    .selectFrom('alignment_comparisons_v3')
    .select(['machine_name', 'state', 'specialist_id', 'specialist_version', 'matched', 'position'])
    .where((eb) => eb.and(storedOf(alignmentComparisonsTable, { machineName, specialistId })))
    .orderBy('position')
    .execute();
  for (const row of rows) {
    const key = keyOf({
      machineName: row.machine_name,
      state: textFromStored(row.state),
      specialistId: row.specialist_id,
      specialistVersion: row.specialist_version,
    });
    if (row.position > (until.get(key) ?? '')) continue;
    const known = matches.get(key);
    if (known) known.push(row.matched === 1);
    else matches.set(key, [row.matched === 1]);
  }
  return matches;
}

function keyOf({
  machineName,
  state = '',
  specialistId,
  specialistVersion,
}: AlignmentScope & Pick<AlignmentTallyRecord, 'specialistId' | 'specialistVersion'>): string {
  return JSON.stringify([machineName, state, specialistId, specialistVersion]);
}

/** How well the choices of a version of a proposer agree with those of people, in the whole machine or in one state of it. */
export type SpecialistAlignment = Omit<ScoredTally, 'machineName' | 'position'>;

/**
 * Scores a machine's comparisons under another rule than its sessions use: by state, those of the whole machine first, then by
 * specialist id and version. `position` is that of the last comparison in the log. Nothing is written.
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
