import { jsonText, sha256 } from '#lib/kernel';
import { isDisabledEverywhere } from './declared-specialists.js';
import type { MachineDefinition, SpecialistDeclaration } from './machine-definition.js';

/**
 * SHA-256, in hexadecimal, of the normalized machine's JSON text. Machines with equal hashes are the same machine; another order
 * of members makes another one. Options of a registration (`keepAlignment`, `disabled`) are not part of it.
 */
export function machineHash(machine: MachineDefinition): string {
  const states = Object.entries(machine.states).map(([name, state]) => [name, hashed(machine, state)]);
  return sha256(jsonText({ ...hashed(machine, machine), states: Object.fromEntries(states) as object }));
}

type Scope = { readonly specialists?: readonly SpecialistDeclaration[] };

/** Members keep their order. */
function hashed<S extends Scope>(machine: MachineDefinition, scope: S): S {
  if (scope.specialists === undefined) return scope;
  return { ...scope, specialists: scope.specialists.map((one) => withoutOptions(machine, one)) };
}

/** A disabled entry stays if another entry of its id is not disabled: it decides who takes part in its state. */
function withoutOptions(
  machine: MachineDefinition,
  declaration: SpecialistDeclaration,
): SpecialistDeclaration {
  const { keepAlignment: _kept, disabled, ...body } = declaration;
  const isOption = disabled !== true || isDisabledEverywhere(machine, declaration.specialistId);
  return isOption ? body : { ...body, disabled };
}
