import type { TrustPolicy } from '#lib/decisions/machines';
import type { ArbiterMode, ProposerExecution } from './execution-mode.js';

/** The body of a version of a specialist. Another body is another version. */
export type SpecialistBody =
  | {
      readonly role: 'proposer';
      readonly isHuman: boolean;
      /** The person who acts as this human. Absent: the person with the specialist's id. */
      readonly personId?: string;
      readonly execution?: ProposerExecution;
    }
  | {
      readonly role: 'arbiter';
      readonly isHuman: false;
      readonly execution: ArbiterMode;
      readonly threshold?: number;
      readonly trust?: TrustPolicy;
    };
