import { isRejection, present } from '#lib/kernel';
import {
  declaredSpecialists,
  type MachineDefinition,
  type SpecialistDeclaration,
} from '#lib/decisions/machines';
import type { MachineSpecialist } from '#lib/read-models';
import type { Session, VariantOverrides } from '#lib/decisions/session';
import {
  type Arbiter,
  type Proposer,
  type ProposerExecution,
  specialistBody,
  specialistStreamId,
} from '#lib/decisions/specialists';
import { versionRecord } from './specialist-record.js';
import type { Target } from '#lib/operations/core';

type OwnMachine = Pick<Session, 'machine' | 'machineVersion'> & Partial<Pick<Session, 'fork'>>;

type OwnVersion = (Proposer | Arbiter) & Pick<MachineSpecialist, 'standsAlone'>;

/** The only version of a specialist that belongs to one session. */
const OWN_VERSION = 1;

/**
 * The specialists that belong to one session, because its machine came with it: only the definition describes them. Empty for a
 * defined machine. Those of another log that a fork overrides count as registered with an operation, as in that log.
 */
export function ownSpecialists(session: OwnMachine): readonly MachineSpecialist[] {
  return ownVersions(session).map((one) => ({ ...versionRecord(one), standsAlone: one.standsAlone }));
}

/** One of these specialists, in the form that commands use. */
export function ownSpecialist(session: OwnMachine, specialistId: string): OwnVersion | undefined {
  return ownVersions(session).find((one) => one.specialistId === specialistId);
}

function ownVersions({ machine, machineVersion, fork }: OwnMachine): readonly OwnVersion[] {
  const declared = machineVersion === undefined ? declaredSpecialists(machine) : [];
  const overridden = (fork?.lacks ?? []).flatMap((one) => {
    const given = fork?.specialists[one.specialistId];
    return given ? [{ ...one, ...given }] : [];
  });
  return [
    ...declared.flatMap(({ declaration }) => ownVersion(machine, declaration, false)),
    ...overridden.flatMap((declaration) => ownVersion(machine, declaration, true)),
  ];
}

function ownVersion(
  { machineName }: MachineDefinition,
  declaration: SpecialistDeclaration,
  standsAlone: boolean,
): readonly OwnVersion[] {
  const body = specialistBody({ ...declaration, machineName });
  if (isRejection(body)) return [];
  const { specialistId, disabled } = declaration;
  return [{ specialistId, machineName, version: OWN_VERSION, enabled: !disabled, standsAlone, ...body }];
}

/** The stream of a specialist. */
export function specialistTarget(name: {
  readonly machineName: string;
  readonly specialistId: string;
}): Target {
  return { category: 'specialist', id: specialistStreamId(name) };
}

/** The execution mode of a proposer in this session, with the overrides of a fork. */
export function overridden(
  execution: ProposerExecution,
  specialistId: string,
  { fork }: Pick<Session, 'fork'>,
): ProposerExecution {
  return overriddenBy(execution, fork?.specialists[specialistId] ?? {});
}

/** The execution mode of a model proposer, with these members replaced. */
export function overriddenBy(
  execution: ProposerExecution,
  { prompts: _, ...given }: VariantOverrides,
): ProposerExecution {
  if (!('modelId' in execution)) return execution;
  if (given.contextTemplate === undefined) return { ...execution, ...given };
  const { modelId, askReasoning, modelParameters, backupModels, systemPrompt, budget } = execution;
  const asked = { modelId, askReasoning, modelParameters, backupModels, systemPrompt, budget, ...given };
  return present(asked) as ProposerExecution;
}
