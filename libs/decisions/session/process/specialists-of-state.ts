import { ownMember } from '#lib/kernel';
import {
  isDisabledEverywhere,
  type MachineDefinition,
  type SpecialistDeclaration,
} from '#lib/decisions/machines';

type Role = SpecialistDeclaration['role'];

/** The members of a specialist that decide whether it takes part in a state. */
export interface Candidate {
  readonly specialistId: string;
  readonly role: Role;
  readonly isHuman: boolean;
  readonly enabled: boolean;
  /** Registered with an operation, and not only declared. */
  readonly standsAlone: boolean;
}

/**
 * The enabled specialists that take part in a state. For each role: those that the state declares, else those that the machine
 * declares, else those registered with an operation.
 */
export function specialistsOfState<C extends Candidate>(
  machine: MachineDefinition,
  stateName: string,
  candidates: readonly C[],
): readonly C[] {
  const declared = {
    proposer: declaredIds(machine, stateName, 'proposer'),
    arbiter: declaredIds(machine, stateName, 'arbiter'),
  };
  return candidates.filter(({ specialistId, role, enabled, standsAlone }) => {
    const ids = declared[role];
    return enabled && (ids ? ids.has(specialistId) : standsAlone);
  });
}

/** The specialists of this role in the innermost scope that declares some; `undefined` if no scope does. */
export function declaredIds(
  machine: MachineDefinition,
  stateName: string,
  role: Role,
): ReadonlySet<string> | undefined {
  const scopes = [ownMember(machine.states, stateName)?.specialists ?? [], machine.specialists ?? []];
  const entries = scopes
    .map((list) => list.filter((one) => one.role === role))
    .find((list) => list.length > 0);
  const taking = entries?.filter(
    ({ specialistId, disabled }) => !disabled || isDisabledEverywhere(machine, specialistId),
  );
  return taking && new Set(taking.map(({ specialistId }) => specialistId));
}
