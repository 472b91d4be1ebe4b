import type { MachineDefinition, TrustPolicy } from '#lib/decisions/machines';
import type { AlignmentSnapshot, ArbiterRef, Session } from '#lib/decisions/session';

/** The settings of rounds that a simulation changes; those that are absent stay as they were. */
export interface SimulationSettings {
  readonly consensusThreshold?: number | undefined;
  readonly quorum?: number | undefined;
  readonly trust?: TrustPolicy | undefined;
  /** The name of a built-in arbiter. */
  readonly arbiter?: string | undefined;
}

/** The conditions under which a round is gone through. */
export interface Conditions {
  machine(this: void, machine: MachineDefinition): MachineDefinition;
  /** The alignment that stands in place of a recorded one. */
  alignment(this: void, recorded: AlignmentSnapshot, session: Session): AlignmentSnapshot;
  /** In place of the arbiter of the state. */
  readonly arbiter?: ArbiterRef;
}

/** Those of the record. */
export const AS_RECORDED: Conditions = { machine: (machine) => machine, alignment: (recorded) => recorded };

/**
 * Those of a simulation. A machine is changed once, however many rounds have it.
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

/** The policies hold in every state, in place of those that states and the machine define. */
function machineUnder(
  machine: MachineDefinition,
  policies: Omit<SimulationSettings, 'arbiter'>,
): MachineDefinition {
  const given = Object.fromEntries(Object.entries(policies).filter(([, value]) => value !== undefined));
  const states = Object.entries(machine.states).map(([name, state]) => {
    const kept = Object.entries(state).filter(([member]) => !Object.hasOwn(given, member));
    return [name, Object.fromEntries(kept)];
  });
  return { ...machine, ...given, states: Object.fromEntries(states) as MachineDefinition['states'] };
}
