import type { GateDefinition } from './definition/gate-definition.js';

/** A version of a gate. */
export interface Gate {
  readonly gateId: string;
  readonly version: number;
  /** Of the machine that has the gate's name. */
  readonly machineVersion: number;
  readonly definition: GateDefinition;
}

export interface GateState {
  /** 0 before it was ever created. */
  readonly lastVersion: number;
  /** Absent before it is created, and once it is deleted. */
  readonly gate?: Gate;
}

export const noGate: GateState = { lastVersion: 0 };
