import { sql } from 'kysely';
import { storedTime } from '../row/stored-time.js';
import type { Rows } from '../store/rows.js';

/** Which calls are summed up, and how far apart. */
export interface CallGrouping {
  /** `model` (the default): one answer for each model. `day`: one for each model and UTC day. */
  readonly by?: 'model' | 'day';
  readonly machineName?: string;
  /** ISO 8601: requested at or after this time. */
  readonly from?: string;
  /** ISO 8601: requested before this time. */
  readonly to?: string;
}

/** A group as rows name it: the stored model, and the start of the day or 0. */
export interface GroupKey {
  readonly model: string;
  readonly bucket: number;
}

/** The calls that are summed up, each with its group. @throws InvalidTime when `from` or `to` is no time */
export function statisticsCalls(db: Rows<'llm_calls'>, grouping: CallGrouping) {
  const { by = 'model', machineName, from, to } = grouping;
  let query = db
    .selectFrom('llm_calls_v5')
    .selectAll()
    .select(sql<number>`${by === 'day' ? sql.ref('day') : sql.lit(0)}`.as('bucket'));
  if (machineName !== undefined) query = query.where('machine_name', '=', machineName);
  if (from !== undefined) query = query.where('requested_at', '>=', storedTime(from));
  if (to !== undefined) query = query.where('requested_at', '<', storedTime(to));
  return query.as('call');
}

export function groupText({ model, bucket }: GroupKey): string {
  return `${bucket} ${model}`;
}
