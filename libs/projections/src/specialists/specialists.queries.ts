import type { Rejection } from '#lib/kernel';
import type { ArbiterMode, ProposerExecution } from '#lib/specialist';
import { type Page, pageOf, type PageRequest } from '../paging/page.js';
import type { Rows } from '../store/rows.js';
import type { RowOf } from '../store/table.js';
import type { specialistsTable } from './specialists.table.js';

/** A specialist as it was registered, its execution mode in the members that the registration used. */
export type SpecialistRecord = {
  readonly role: 'proposer' | 'arbiter';
  readonly specialistId: string;
  readonly machineName: string;
  readonly isHuman: boolean;
  readonly threshold?: number;
  readonly enabled: boolean;
} & Partial<Flat<ProposerExecution | ArbiterMode>>;

type Flat<T> = T extends object ? { readonly [Member in keyof T]: T[Member] } : never;

/** How often a proposer chose what a human chose, of all the times both did. */
export interface Alignment {
  readonly machineName: string;
  readonly state?: string;
  readonly matchingChoices: number;
  readonly totalComparisons: number;
  readonly alignmentScore: number;
}

/** A specialist with its alignment. It is empty until a human has decided, and no event of today says so. */
export type SpecialistDetails = SpecialistRecord & { readonly alignment: readonly Alignment[] };

/** `undefined` where there is none of this id. */
export async function getSpecialist(
  db: Rows<'specialists'>,
  specialistId: string,
): Promise<SpecialistDetails | undefined> {
  const row = await db
    .selectFrom('specialists_v1')
    .selectAll()
    .where('specialist_id', '=', specialistId)
    .executeTakeFirst();
  return row && { ...specialistRecord(row), alignment: [] };
}

/** What a list of specialists is narrowed to. */
export interface SpecialistFilter {
  readonly machineName?: string;
  readonly role?: 'proposer' | 'arbiter';
}

/** By id. */
export function listSpecialists(
  db: Rows<'specialists'>,
  { machineName, role }: SpecialistFilter = {},
  request: PageRequest = {},
): Promise<Page<SpecialistRecord> | Rejection> {
  return pageOf(request, {
    list: 'specialists',
    read: (after, limit) => {
      let query = db.selectFrom('specialists_v1').selectAll();
      if (machineName !== undefined) query = query.where('machine_name', '=', machineName);
      if (role !== undefined) query = query.where('role', '=', role);
      if (after !== undefined) query = query.where('specialist_id', '>', after);
      return query.orderBy('specialist_id').limit(limit).execute();
    },
    keyOf: (row) => row.specialist_id,
    toItems: (rows) => rows.map(specialistRecord),
  });
}

function specialistRecord(row: RowOf<typeof specialistsTable>): SpecialistRecord {
  const execution = row.execution === null ? {} : (JSON.parse(row.execution) as ProposerExecution);
  return {
    role: row.role as SpecialistRecord['role'],
    specialistId: row.specialist_id,
    machineName: row.machine_name,
    isHuman: row.is_human === 1,
    ...execution,
    ...(row.threshold !== null && { threshold: row.threshold }),
    enabled: row.enabled === 1,
  };
}
