import type { Command } from '#lib/kernel';
import type { MachineDefinition } from '../machine-definition.js';

/** Define a machine, or its next version. The definition has passed `validateMachine` and `normalizeMachine`. */
export type DefineMachine = Command<'DefineMachine', { readonly definition: MachineDefinition }>;

export type MachineCommand = DefineMachine;
