import type { Redial } from '#lib/engine';
import type { MachineDefinition, SpecialistDeclaration } from '#lib/machine';

/**
 * The declared specialists that were registered earlier with something else: what is registered stays, so that an edited
 * declaration would do nothing, and nobody would know why.
 */
export async function changedRegistrations(
  redial: Redial,
  machine: MachineDefinition,
): Promise<readonly string[]> {
  const states = Object.values(machine.states);
  const declared = [
    ...(machine.specialists ?? []),
    ...states.flatMap(({ specialists }) => specialists ?? []),
  ];
  const changed = new Set<string>();
  for (const one of declared) {
    const registered = await redial.getSpecialist(one.specialistId);
    if (differs(one, registered)) changed.add(one.specialistId);
  }
  return [...changed];
}

function differs({ disabled: _disabled, ...declared }: SpecialistDeclaration, registered: object): boolean {
  return Object.entries(declared).some(
    ([member, value]) => (registered as { readonly [name: string]: unknown })[member] !== value,
  );
}
