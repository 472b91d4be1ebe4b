import { escapePointerToken, isJsonObject, type Json, type JsonObject, ownMember } from '#lib/kernel';

/** A transition in a value that may not be a machine. */
export interface TransitionPlace {
  readonly stateName: string;
  readonly transitionName: string;
  readonly path: string;
  /** The pointer to its target. */
  readonly targetPath: string;
  readonly target: string | undefined;
  /** Present if it is written as an object. */
  readonly definition: JsonObject | undefined;
}

/** A specialist's entry in a value that may not be a machine. */
export interface SpecialistPlace {
  readonly path: string;
  readonly specialistId: string;
  readonly body: JsonObject;
}

/** The readable part of a value as a machine; members of the wrong type are left out. */
export interface MachineOutline {
  readonly machine: JsonObject;
  readonly states: JsonObject | undefined;
  readonly transitions: readonly TransitionPlace[];
  readonly specialists: readonly SpecialistPlace[];
}

export function outlineMachine(value: unknown): MachineOutline {
  const machine = objectOr(value) ?? {};
  const states = objectOr(ownMember(machine, 'states'));
  const namedStates = Object.entries(states ?? {}).map(([name, state]) => ({
    name,
    state: objectOr(state) ?? {},
  }));
  return {
    machine,
    states,
    transitions: namedStates.flatMap(({ name, state }) => transitionsIn(name, state)),
    specialists: [
      ...specialistsIn('', machine),
      ...namedStates.flatMap(({ name, state }) =>
        specialistsIn(`/states/${escapePointerToken(name)}`, state),
      ),
    ],
  };
}

function transitionsIn(stateName: string, state: JsonObject): TransitionPlace[] {
  const transitions = objectOr(ownMember(state, 'transitions')) ?? {};
  return Object.entries(transitions).map(([transitionName, written]) => {
    const path = `/states/${escapePointerToken(stateName)}/transitions/${escapePointerToken(transitionName)}`;
    const definition = objectOr(written);
    const target = definition ? ownMember(definition, 'target') : written;
    return {
      stateName,
      transitionName,
      path,
      targetPath: definition ? `${path}/target` : path,
      target: typeof target === 'string' ? target : undefined,
      definition,
    };
  });
}

function specialistsIn(path: string, holder: JsonObject): SpecialistPlace[] {
  const entries: unknown = ownMember(holder, 'specialists');
  return (Array.isArray(entries) ? (entries as Json[]) : []).flatMap((body, index) => {
    const specialistId = isJsonObject(body) ? ownMember(body, 'specialistId') : undefined;
    if (!isJsonObject(body) || typeof specialistId !== 'string') return [];
    return [{ path: `${path}/specialists/${index}`, specialistId, body }];
  });
}

function objectOr(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
