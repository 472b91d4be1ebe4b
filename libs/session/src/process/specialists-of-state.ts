import { ownMember } from '#lib/kernel';
import type { MachineDefinition, SpecialistDeclaration } from '#lib/machine';

/** A registered specialist, as far as it matters for whom a state turns to. */
export interface Candidate {
  readonly specialistId: string;
  readonly role: 'proposer' | 'arbiter';
  readonly isHuman: boolean;
  readonly enabled: boolean;
}

/**
 * Of those registered for a machine, the ones that take part in a state. A state that declares specialists has only those;
 * where it declares no arbiter, the machine's arbiters stand in. They do not for one that is declared and disabled or not
 * registered: the state has none then, and a person decides. A state that declares nobody has everyone, except who is declared
 * for other states alone. An entry with `disabled` is left out where it stands.
 */
export function specialistsOfState<C extends Candidate>(
  machine: MachineDefinition,
  stateName: string,
  registered: readonly C[],
): readonly C[] {
  const own = ownMember(machine.states, stateName)?.specialists;
  const common = registered.filter(commonIn(machine));
  if (own === undefined) return common;
  const declared = registered.filter(declaredIn(own));
  if (own.some(({ role }) => role === 'arbiter')) return declared;
  return [...declared, ...common.filter(({ role }) => role === 'arbiter')];
}

function declaredIn(entries: readonly SpecialistDeclaration[]) {
  const ids = new Set(entries.filter(({ disabled }) => disabled !== true).map((entry) => entry.specialistId));
  return ({ specialistId, enabled }: Candidate) => enabled && ids.has(specialistId);
}

function commonIn(machine: MachineDefinition) {
  const entries = machine.specialists ?? [];
  const shared = new Set(entries.map(({ specialistId }) => specialistId));
  const off = new Set(entries.filter(({ disabled }) => disabled).map(({ specialistId }) => specialistId));
  const elsewhere = new Set(
    Object.values(machine.states).flatMap(({ specialists = [] }) =>
      specialists.map(({ specialistId }) => specialistId),
    ),
  );
  return ({ specialistId, enabled }: Candidate) =>
    enabled && !off.has(specialistId) && (shared.has(specialistId) || !elsewhere.has(specialistId));
}
