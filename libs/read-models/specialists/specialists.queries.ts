import { isRejection, ownMember, type Rejection } from '#lib/kernel';
import type { SpecialistVersions } from '#lib/decisions/machines';
import { ambiguousSpecialist, DECIDING_RULE, unknownSpecialist } from '#lib/decisions/specialists';
import { scoredAlignment, type SpecialistAlignment } from '../alignment/alignment.queries.js';
import { type Page, pageOf, type PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import type { Rows } from '../store/rows.js';
import {
  currentRows,
  machineSpecialist,
  type MachineSpecialist,
  specialistRecord,
  type SpecialistRecord,
  versionRecord,
  type SpecialistVersionRecord,
  versionRows,
} from './specialist-record.js';
import type { SchemaOf } from '../store/table.js';
import {
  currentVersionsTable,
  specialistName,
  specialistsTable,
  specialistVersionsTable,
} from './specialists.read-model.js';

/** The alignment of a proposer's version: its choices equal to decisions of people, of all its comparisons. */
type Alignment = Omit<SpecialistAlignment, 'specialistId'> & { readonly machineName: string };

/** A version with its alignment: empty for people, and without comparisons. */
type SpecialistDetails = SpecialistRecord & { readonly alignment: readonly Alignment[] };

/** The name of a specialist. Without `machineName` only one machine may have the id. */
export interface SpecialistName {
  readonly specialistId: string;
  readonly machineName?: string;
}

/**
 * The machine of a specialist: the named one, or the only one with this id.
 * @param preferred among several machines with this id
 */
export async function machineOfSpecialist(
  db: Rows<'specialists'>,
  { specialistId, machineName }: SpecialistName,
  preferred?: string,
): Promise<string | Rejection> {
  const rows = await db
    .withTables<SchemaOf<typeof specialistsTable>>()
    .selectFrom(specialistsTable.name)
    .select('machine_name')
    .where('specialist_id', '=', specialistId)
    .orderBy('machine_name')
    .execute();
  const machines = rows.map((row) => row.machine_name);
  const [found, ...others] = machines.filter((one) => machineName === undefined || one === machineName);
  if (found === undefined) return unknownSpecialist(specialistId);
  if (preferred !== undefined && others.includes(preferred)) return preferred;
  if (found === preferred) return found;
  return others.length > 0 ? ambiguousSpecialist(specialistId, machines) : found;
}

/** A human proposer for which a person answers. */
interface HumanRole {
  /** The key of the specialist's row. */
  readonly name: string;
  readonly machineName: string;
  /** The proposer was registered with an operation, and the person is that of its current version. */
  readonly isCurrentAlone: boolean;
}

/** The enabled human proposers with this person in one of their versions: a session keeps the version of its start. */
export async function humanRolesOf(db: Rows<'specialists'>, personId: string): Promise<readonly HumanRole[]> {
  const rows = await versionRows(db)
    .where('specialist.enabled', '=', 1)
    .where('one.is_human', '=', 1)
    .where('one.role', '=', 'proposer')
    .where((eb) =>
      eb.or([
        eb('one.person_id', '=', personId),
        eb.and([eb('one.person_id', 'is', null), eb('one.specialist_id', '=', personId)]),
      ]),
    )
    .execute();
  return rows.map(({ machine_name: machineName, specialist_id: specialistId, ...row }) => {
    const isCurrentAlone = row.stands_alone === 1 && row.version === row.current_version;
    return { name: specialistName({ machineName, specialistId }), machineName, isCurrentAlone };
  });
}

/** A version of a specialist, by default the current one. */
export async function getSpecialist(
  db: Rows<'specialists' | 'alignment'>,
  name: SpecialistName,
  version?: number,
): Promise<SpecialistDetails | Rejection> {
  const machineName = await machineOfSpecialist(db, name);
  if (isRejection(machineName)) return machineName;
  const { specialistId } = name;
  const rows = version === undefined ? currentRows(db) : versionRows(db).where('one.version', '=', version);
  const row = await rows
    .where('specialist.machine_name', '=', machineName)
    .where('specialist.specialist_id', '=', specialistId)
    .executeTakeFirst();
  if (!row) return unknownSpecialist(specialistId, version);
  const scored = await scoredAlignment(db, { machineName, specialistId }, DECIDING_RULE);
  const alignment = scored
    .filter(({ specialistVersion }) => specialistVersion === row.version)
    .map(({ specialistId: _, position: __, ...one }) => one);
  return { ...specialistRecord(row), alignment };
}

/** All versions of a specialist, the oldest first. */
export async function listSpecialistVersions(
  db: Rows<'specialists'>,
  name: SpecialistName,
  request: PageRequest = {},
): Promise<Page<SpecialistVersionRecord> | Rejection> {
  const machineName = await machineOfSpecialist(db, name);
  if (isRejection(machineName)) return machineName;
  return pageOfRows(request, {
    list: 'specialist-versions',
    rows: versionRows(db)
      .where('specialist.machine_name', '=', machineName)
      .where('specialist.specialist_id', '=', name.specialistId),
    table: specialistVersionsTable,
    by: 'one.version',
    toItems: (rows) => rows.map(versionRecord),
  });
}

/** The current version of every specialist of a machine, in the order of their first registration. */
export async function specialistsOfMachine(
  db: Rows<'specialists'>,
  machineName: string,
): Promise<readonly MachineSpecialist[]> {
  const rows = await currentRows(db)
    .where('specialist.machine_name', '=', machineName)
    .orderBy('specialist.number')
    .execute();
  return rows.map(machineSpecialist);
}

interface VersionsOfSession {
  readonly machineName: string;
  /** The versions of the specialists that the session's machine declares. */
  readonly specialistVersions: SpecialistVersions;
  /** The position of the start of the current round: all other specialists have their versions of then. */
  readonly roundBegan?: string;
}

/**
 * The specialists that may take part in a session, in its versions: those declared by its machine, and those registered with an
 * operation. One of these that was registered after the start of the round has its current version.
 */
export async function specialistsOfSession(
  db: Rows<'specialists'>,
  { machineName, specialistVersions, roundBegan }: VersionsOfSession,
): Promise<readonly MachineSpecialist[]> {
  const current = await specialistsOfMachine(db, machineName);
  const then = roundBegan === undefined ? undefined : await versionsAt(db, machineName, roundBegan);
  const known = current.filter(
    ({ specialistId, standsAlone }) => standsAlone || Object.hasOwn(specialistVersions, specialistId),
  );
  const inRound = known.map(async (one) => {
    const { specialistId, version } = one;
    const used = ownMember(specialistVersions, specialistId) ?? then?.get(specialistId) ?? version;
    return used === version ? one : versionOf(db, one, used);
  });
  return Promise.all(inRound);
}

/** The current versions at a position, by specialist id. */
async function versionsAt(
  db: Rows<'specialists'>,
  machineName: string,
  position: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .withTables<SchemaOf<typeof currentVersionsTable>>()
    .selectFrom(currentVersionsTable.name)
    .select(['specialist_id', 'version'])
    .where('machine_name', '=', machineName)
    .where('position', '<=', position)
    .orderBy('number')
    .execute();
  return new Map(rows.map((row) => [row.specialist_id, row.version]));
}

async function versionOf(
  db: Rows<'specialists'>,
  one: MachineSpecialist,
  version: number,
): Promise<MachineSpecialist> {
  const row = await versionRows(db)
    .where('specialist.machine_name', '=', one.machineName)
    .where('specialist.specialist_id', '=', one.specialistId)
    .where('one.version', '=', version)
    .executeTakeFirst();
  return row ? machineSpecialist(row) : one;
}

interface SpecialistFilter {
  readonly machineName?: string;
  readonly role?: 'proposer' | 'arbiter';
}

/** The current versions, by id and machine. */
export function listSpecialists(
  db: Rows<'specialists'>,
  { machineName, role }: SpecialistFilter = {},
  request: PageRequest = {},
): Promise<Page<SpecialistRecord> | Rejection> {
  return pageOf(request, {
    list: 'specialists',
    rowsAtOnce: 8,
    read: (after, limit) => {
      let query = currentRows(db);
      if (machineName !== undefined) query = query.where('specialist.machine_name', '=', machineName);
      if (role !== undefined) query = query.where('one.role', '=', role);
      if (after !== undefined) {
        const [id = '', machine = ''] = after.split('/');
        query = query.where((eb) =>
          eb.or([
            eb('specialist.specialist_id', '>', id),
            eb.and([eb('specialist.specialist_id', '=', id), eb('specialist.machine_name', '>', machine)]),
          ]),
        );
      }
      return query
        .orderBy('specialist.specialist_id')
        .orderBy('specialist.machine_name')
        .limit(limit)
        .execute();
    },
    keyOf: (row) => `${row.specialist_id}/${row.machine_name}`,
    toItems: (rows) => rows.map(specialistRecord),
  });
}
