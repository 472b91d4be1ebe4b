import type { AlignmentScope } from '#lib/session';
import type { AlignmentTally } from '#lib/specialist';
import { storedText, textFromStored } from '../row/stored-text.js';
import type { Rows } from '../store/rows.js';

/** How often a version of a proposer that is not human chose what people chose, in a scope: whole numbers. */
export interface AlignmentTallyRecord extends AlignmentTally, AlignmentScope {
  readonly specialistId: string;
  readonly specialistVersion: number;
  /** Of the last comparison, in the log. */
  readonly position: string;
}

/** The scope of tallies. A `state` of "" is the scope of the whole machine. */
export interface TallyFilter {
  readonly machineName?: string;
  readonly state?: string;
  readonly specialistId?: string;
}

/** The tallies of one scope: those of the whole machine, or of one state that is scored separately. By specialist id. */
export function alignmentTallies(
  db: Rows<'alignment'>,
  { machineName, state = '' }: AlignmentScope,
): Promise<readonly AlignmentTallyRecord[]> {
  return readTallies(db, { machineName, state });
}

/** By machine, state, specialist id and version. */
export async function readTallies(
  db: Rows<'alignment'>,
  { machineName, state, specialistId }: TallyFilter,
): Promise<readonly AlignmentTallyRecord[]> {
  let query = db.selectFrom('alignment_tallies_v2').selectAll();
  if (machineName !== undefined) query = query.where('machine_name', '=', machineName);
  if (state !== undefined) query = query.where('state', '=', storedText(state));
  if (specialistId !== undefined) query = query.where('specialist_id', '=', specialistId);
  const rows = await query
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
