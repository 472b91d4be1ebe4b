import { sql } from 'kysely';
import { storedTime } from '../row/stored-time.js';
import type { Rows } from '../store/rows.js';

/** Which calls are summed up, and how far apart. */
export interface CallGrouping {
  /** `model` (the default): one answer for each model of a provider. `day`: one for each of them and UTC day. */
  readonly by?: 'model' | 'day';
  readonly machineName?: string;
  /** ISO 8601: requested at or after this time. */
  readonly from?: string;
  /** ISO 8601: requested before this time. */
  readonly to?: string;
}

/** A group as rows name it: the provider, the stored model, and the start of the day or 0. */
export interface GroupKey {
  readonly provider: string;
  readonly model: string;
  readonly bucket: number;
}

/** The calls that are summed up, each with its group. @throws InvalidTime when `from` or `to` is no time */
export function statisticsCalls(db: Rows<'llm_calls'>, grouping: CallGrouping) {
  const { by = 'model', machineName, from, to } = grouping;
  let query = db
    .selectFrom('llm_calls_v6')
    .selectAll()
    .select(sql<number>`${by === 'day' ? sql.ref('day') : sql.lit(0)}`.as('bucket'));
  if (machineName !== undefined) query = query.where('machine_name', '=', machineName);
  if (from !== undefined) query = query.where('requested_at', '>=', storedTime(from));
  if (to !== undefined) query = query.where('requested_at', '<', storedTime(to));
  return query.as('call');
}

/** The columns of a group. */
export const GROUP = ['call.model', 'call.provider', 'call.bucket'] as const;

export function groupText({ provider, model, bucket }: GroupKey): string {
  return `${bucket} ${provider} ${model}`;
}
