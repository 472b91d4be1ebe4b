import type { TrustPolicy } from '#lib/decisions/machines';
import type {
  ArbiterRegistered,
  ProposerExecution,
  ProposerRegistered,
  SpecialistEvent,
} from '#lib/decisions/specialists';
import {
  type DocOf,
  documents,
  facts,
  type Folds,
  type NumberedEvent,
  type Page,
  type ReadModel,
  type Ref,
} from '../loop/declare.js';
import { foldedTable } from '../loop/folded-table.js';
import { flag, hidden, json, optional, time, word } from '../store/columns.js';

/** A specialist of a machine. */
export const specialistsTable = foldedTable(
  'specialists',
  {
    /** The name of machine and specialist. */
    name: hidden('text'),
    machine_name: 'text',
    specialist_id: 'text',
    /** The version that was registered last. */
    current_version: hidden('integer'),
    /** Registered with an operation, and not only declared by machines. */
    stands_alone: flag,
    enabled: flag,
    /** The position of the last disabling; absent while enabled, and after a registration as disabled. */
    disabled_position: 'text?',
    /** The number of the first registration: the order in which specialists of a machine are asked. */
    number: hidden('bigint'),
  },
  ['name'],
  [
    ['specialist_id', 'machine_name'],
    ['machine_name', 'number'],
  ],
);

/** The versions of each specialist. */
export const specialistVersionsTable = foldedTable(
  'specialist_versions',
  {
    machine_name: 'text',
    specialist_id: 'text',
    version: 'integer',
    role: word<'proposer' | 'arbiter'>(),
    is_human: flag,
    person_id: 'text?',
    execution: optional(json<ProposerExecution>()),
    threshold: 'double precision?',
    trust: optional(json<TrustPolicy>()),
    registered_at: time,
  },
  ['machine_name', 'specialist_id', 'version'],
);

/** The current version of each specialist from a position on. */
export const currentVersionsTable = foldedTable(
  'specialist_current_versions',
  { machine_name: 'text', number: 'bigint', specialist_id: 'text', position: 'text', version: 'integer' },
  ['machine_name', 'number'],
);

const specialists = documents(specialistsTable, 'name');
const versions = facts(specialistVersionsTable);
const currentVersions = facts(currentVersionsTable);

/** A specialist of a machine, in all its versions. */
type NamedSpecialist = Pick<SpecialistEvent['data'], 'machineName' | 'specialistId'>;
type Registered = ProposerRegistered | ArbiterRegistered;

const onSpecialist: Required<Folds<SpecialistEvent>> = {
  ProposerRegistered: { needs: specialistOf, fold: registered },
  ArbiterRegistered: { needs: specialistOf, fold: registered },
  SpecialistRegisteredAgain: { needs: specialistOf, fold: madeCurrent },
  SpecialistEnabled: {
    needs: specialistOf,
    fold: (page, { data }) => enable(page, data, { enabled: true, disabledPosition: undefined }),
  },
  SpecialistDisabled: {
    needs: specialistOf,
    fold: (page, { data, position }) => enable(page, data, { enabled: false, disabledPosition: position }),
  },
};

function specialistOf({ data }: SpecialistEvent): readonly Ref[] {
  return [[specialists, specialistName(data)]];
}

/** The key of its row. */
export function specialistName({ machineName, specialistId }: NamedSpecialist): string {
  return JSON.stringify([machineName, specialistId]);
}

function enable(
  page: Page,
  named: NamedSpecialist,
  now: Pick<DocOf<typeof specialistsTable>, 'enabled' | 'disabledPosition'>,
): void {
  const specialist = page.change(specialists, specialistName(named));
  if (specialist) Object.assign(specialist, now);
}

function registered(page: Page, event: NumberedEvent<Registered>): void {
  const { type, data, occurredAt: registeredAt, number } = event;
  const { machineName, specialistId, version: currentVersion } = data;
  const name = specialistName(data);
  const version =
    type === 'ArbiterRegistered'
      ? { ...data, role: 'arbiter' as const, isHuman: false }
      : { ...data, role: 'proposer' as const, isHuman: data.isHuman };
  if (!page.see(specialists, name)) {
    const state = { currentVersion, standsAlone: false, enabled: true, number };
    page.put(specialists, { name, machineName, specialistId, ...state });
  }
  page.add(versions, { ...version, registeredAt });
  madeCurrent(page, event);
  // Registered as disabled: it was never asked, so only an operator enables it.
  if (data.disabled) enable(page, data, { enabled: false, disabledPosition: undefined });
}

function madeCurrent(
  page: Page,
  { data, position, number }: NumberedEvent<Extract<SpecialistEvent, { data: { version: number } }>>,
): void {
  const { machineName, specialistId, version, declared } = data;
  page.add(currentVersions, { machineName, specialistId, position, version, number });
  const specialist = page.change(specialists, specialistName(data));
  if (!specialist) throw new TypeError(`specialist ${specialistId} was never registered`);
  specialist.currentVersion = version;
  if (!declared) specialist.standsAlone = true;
}

/** The specialists of each machine, in all versions. */
export const specialistsModel: ReadModel<'specialists'> = {
  name: 'specialists',
  kinds: [specialists, versions, currentVersions],
  on: { specialist: onSpecialist },
};
