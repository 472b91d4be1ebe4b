import type { Command } from '#lib/kernel';
import type { SpecialistVersions } from '../declared-specialists.js';
import type { MachineDefinition } from '../machine-definition.js';

/**
 * Define a machine, or its next version. The definition has passed `validateMachine` and `normalizeMachine`, and its declared
 * specialists are registered in these versions.
 */
export type DefineMachine = Command<
  'DefineMachine',
  { readonly definition: MachineDefinition; readonly specialistVersions: SpecialistVersions }
>;

/** The commands of a machine's stream. */
export type MachineCommand = DefineMachine;
