import type { Rejection } from '#lib/kernel';
import { DECIDING_RULE, type ProposerExecution, type SpecialistRegistration } from '#lib/specialist';
import { scoredAlignment } from '../alignment/scored-alignment.js';
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
} & Pick<
  SpecialistRegistration,
  | 'strategyFnName'
  | 'strategyWebhookUrl'
  | 'contextFnName'
  | 'contextTemplate'
  | 'contextWebhookUrl'
  | 'modelId'
  | 'webhookTokenName'
>;

/** How often a proposer chose what people chose, of all the times it was compared with them, and what a rule makes of it. */
export interface Alignment {
  readonly machineName: string;
  /** Present where the machine declares specialists for that state. */
  readonly state?: string;
  readonly matchingChoices: number;
  readonly totalComparisons: number;
  /** From 0 to 1. */
  readonly alignmentScore: number;
}

/** A specialist with its alignment: empty for people, and before a person has decided what it proposed for. */
export type SpecialistDetails = SpecialistRecord & { readonly alignment: readonly Alignment[] };

/** `undefined` where there is none of this id. */
export async function getSpecialist(
  db: Rows<'specialists' | 'alignment'>,
  specialistId: string,
): Promise<SpecialistDetails | undefined> {
  const row = await db
    .selectFrom('specialists_v2')
    .selectAll()
    .where('specialist_id', '=', specialistId)
    .executeTakeFirst();
  if (!row) return undefined;
  const scored = await scoredAlignment(db, { specialistId }, DECIDING_RULE);
  const alignment = scored.map(({ specialistId: _, position: __, ...one }) => one);
  return { ...specialistRecord(row), alignment };
}

/** A specialist of a machine, with what decides whether it is brought back. */
export type MachineSpecialist = SpecialistRecord & {
  /** Log position at which it was disabled; absent while it is enabled. */
  readonly disabledPosition?: string;
};

/** Everybody who takes part in a machine, in the order in which they were registered. */
export async function specialistsOfMachine(
  db: Rows<'specialists'>,
  machineName: string,
): Promise<readonly MachineSpecialist[]> {
  const rows = await db
    .selectFrom('specialists_v2')
    .selectAll()
    .where('machine_name', '=', machineName)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({
    ...specialistRecord(row),
    ...(row.disabled_position !== null && { disabledPosition: row.disabled_position }),
  }));
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
      let query = db.selectFrom('specialists_v2').selectAll();
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
