import type { Command } from '#lib/kernel';
import type { GateDefinition } from './definition/gate-definition.js';

/** Create a gate, or its next version. */
export type CreateGate = Command<
  'CreateGate',
  {
    /** `inspectGate` found nothing wrong with it. */
    readonly definition: GateDefinition;
    /** Of `gateMachine(definition)`, which is defined. */
    readonly machineVersion: number;
  }
>;

export type DeleteGate = Command<'DeleteGate', { readonly gateId: string }>;

export type GateCommand = CreateGate | DeleteGate;
