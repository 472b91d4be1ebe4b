import type { AlignmentScope } from '#lib/session';
import { scoreComparisons, type ScoringRule, scoringRules } from '#lib/specialist';
import { textFromStored } from '../row/stored-text.js';
import type { Rows } from '../store/rows.js';
import { readTallies, type AlignmentTallyRecord, type TallyFilter } from './alignment-tallies.js';

/** A tally and its score, from 0 to 1, under a rule. */
interface ScoredTally extends AlignmentTallyRecord {
  readonly alignmentScore: number;
}

/** By machine, state, specialist id and version. The counts are whole, also where the score weighs old comparisons less. */
export async function scoredAlignment(
  db: Rows<'alignment'>,
  filter: TallyFilter,
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
  const counted = new Map(
    tallies.map((tally) => [keyOf(tally), { until: tally.position, matches: [] as boolean[] }]),
  );
  let query = db
    .selectFrom('alignment_comparisons_v2')
    .select(['machine_name', 'state', 'specialist_id', 'specialist_version', 'matched', 'position']);
  if (machineName !== undefined) query = query.where('machine_name', '=', machineName);
  if (specialistId !== undefined) query = query.where('specialist_id', '=', specialistId);
  for (const row of await query.orderBy('position').execute()) {
    const scope = { machineName: row.machine_name, state: textFromStored(row.state) };
    const tally = counted.get(
      keyOf({
        ...scope,
        specialistId: row.specialist_id,
        specialistVersion: row.specialist_version,
      }),
    );
    if (tally && row.position <= tally.until) tally.matches.push(row.matched === 1);
  }
  return new Map([...counted].map(([key, { matches }]) => [key, matches]));
}

function keyOf({
  machineName,
  state = '',
  specialistId,
  specialistVersion,
}: AlignmentScope & Pick<AlignmentTallyRecord, 'specialistId' | 'specialistVersion'>): string {
  return JSON.stringify([machineName, state, specialistId, specialistVersion]);
}
