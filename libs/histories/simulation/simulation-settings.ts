import { present } from '#lib/kernel';
import type { MachineDefinition, TrustPolicy } from '#lib/decisions/machines';
import type { AlignmentSnapshot, ArbiterRef, Session } from '#lib/decisions/session';

/** The settings that a simulation changes; absent ones stay as recorded. */
export interface SimulationSettings {
  readonly consensusThreshold?: number | undefined;
  readonly quorum?: number | undefined;
  readonly trust?: TrustPolicy | undefined;
  /** The name of a built-in arbiter. */
  readonly arbiter?: string | undefined;
}

/** The conditions of a simulated round. */
export interface Conditions {
  machine(this: void, machine: MachineDefinition): MachineDefinition;
  /** Replaces a recorded alignment. */
  alignment(this: void, recorded: AlignmentSnapshot, session: Session): AlignmentSnapshot;
  /** Replaces the arbiter of the state. */
  readonly arbiter?: ArbiterRef;
}

/** The recorded conditions. */
export const AS_RECORDED: Conditions = { machine: (machine) => machine, alignment: (recorded) => recorded };

/**
 * The conditions of a simulation. Each machine is changed once, for all rounds that have it.
 * @param alignment scores by another rule; default: as recorded
 */
export function conditionsUnder(
  { arbiter, ...policies }: SimulationSettings,
  alignment: Conditions['alignment'] = AS_RECORDED.alignment,
): Conditions {
  const changed = new WeakMap<MachineDefinition, MachineDefinition>();
  return {
    machine: (machine) => {
      const known = changed.get(machine) ?? machineUnder(machine, policies);
      changed.set(machine, known);
      return known;
    },
    alignment,
    ...(arbiter !== undefined && {
      arbiter: { specialistId: arbiter, specialistVersion: 1, strategyFnName: arbiter },
    }),
  };
}

/** The policies hold in every state, in place of those of the machine and its states. */
function machineUnder(
  machine: MachineDefinition,
  policies: Omit<SimulationSettings, 'arbiter'>,
): MachineDefinition {
  const given = present(policies);
  const states = Object.entries(machine.states).map(([name, state]) => {
    const kept = Object.entries(state).filter(([member]) => !Object.hasOwn(given, member));
    return [name, Object.fromEntries(kept)];
  });
  return { ...machine, ...given, states: Object.fromEntries(states) as MachineDefinition['states'] };
}
