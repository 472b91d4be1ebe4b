import { escapePointerToken } from '#lib/kernel';
import type { MachineDefinition, SpecialistDeclaration } from './machine-definition.js';

/** The version of each specialist that a machine declares, by id. */
export type SpecialistVersions = { readonly [specialistId: string]: number };

/** An entry of a `specialists` list, with its JSON pointer in the machine. */
export interface DeclaredSpecialist {
  readonly path: string;
  readonly declaration: SpecialistDeclaration;
}

/** The specialists of a machine and its states, each id once. One is disabled if all of its entries are. */
export function declaredSpecialists(machine: MachineDefinition): readonly DeclaredSpecialist[] {
  const first = new Map<string, DeclaredSpecialist>();
  for (const entry of entriesOf(machine)) {
    const { specialistId } = entry.declaration;
    const { disabled: _disabled, ...body } = entry.declaration;
    const disabled = isDisabledEverywhere(machine, specialistId) && { disabled: true };
    if (!first.has(specialistId))
      first.set(specialistId, { ...entry, declaration: { ...body, ...disabled } });
  }
  return [...first.values()];
}

/** Whether a machine or one of its states declares specialists. */
export function hasOwnSpecialists(machine: MachineDefinition): boolean {
  return entriesOf(machine).length > 0;
}

/** Whether all entries disable the specialist: then it is registered as disabled. Otherwise an entry counts only in its own list. */
export function isDisabledEverywhere(machine: MachineDefinition, specialistId: string): boolean {
  const entries = entriesOf(machine).filter(({ declaration }) => declaration.specialistId === specialistId);
  return entries.every(({ declaration }) => declaration.disabled === true);
}

/** The entries of the machine, then those of its states. */
function entriesOf(machine: MachineDefinition): readonly DeclaredSpecialist[] {
  return [
    ...entries('/specialists', machine.specialists),
    ...Object.entries(machine.states).flatMap(([state, { specialists }]) =>
      entries(`/states/${escapePointerToken(state)}/specialists`, specialists),
    ),
  ];
}

function entries(base: string, list: readonly SpecialistDeclaration[] = []): readonly DeclaredSpecialist[] {
  return list.map((declaration, index) => ({ path: `${base}/${index}`, declaration }));
}
