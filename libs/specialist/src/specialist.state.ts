import type { ArbiterMode, ProposerExecution } from './execution-mode.js';

export interface Proposer {
  readonly role: 'proposer';
  readonly specialistId: string;
  readonly machineName: string;
  readonly isHuman: boolean;
  readonly enabled: boolean;
  readonly execution?: ProposerExecution;
  readonly actorTokenHash?: string;
}

export interface Arbiter {
  readonly role: 'arbiter';
  readonly specialistId: string;
  readonly machineName: string;
  readonly isHuman: false;
  readonly enabled: boolean;
  readonly execution: ArbiterMode;
  readonly threshold?: number;
}

/** `null` before the specialist is registered. */
export type SpecialistState = Proposer | Arbiter | null;
