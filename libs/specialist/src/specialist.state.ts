import { jsonText } from '#lib/kernel';
import type { TrustPolicy } from '#lib/machine';
import type { ArbiterMode, ProposerExecution } from './execution-mode.js';

/** The body of a version of a specialist. Another body is another version. */
export type SpecialistBody =
  | {
      readonly role: 'proposer';
      readonly isHuman: boolean;
      /** Of a human: the person who acts as them. Absent: the one who has the specialist's id. */
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

/** A specialist of one machine, with all versions it ever had. */
export interface RegisteredSpecialist {
  readonly specialistId: string;
  readonly machineName: string;
  /** The n-th is version n + 1. */
  readonly versions: readonly SpecialistBody[];
  /** The version that was registered last. */
  readonly current: number;
  /** Of all versions. */
  readonly enabled: boolean;
  /** Registered with an operation at least once, and not only declared by machines. */
  readonly standsAlone: boolean;
}

/** `null` before the specialist is registered. */
export type SpecialistState = RegisteredSpecialist | null;

interface Version {
  readonly specialistId: string;
  readonly machineName: string;
  readonly version: number;
  readonly enabled: boolean;
}

/** One version of a specialist that proposes. */
export type Proposer = Version & Extract<SpecialistBody, { role: 'proposer' }>;

/** One version of a specialist that arbitrates. */
export type Arbiter = Version & Extract<SpecialistBody, { role: 'arbiter' }>;

/** A version by its number, or the current one; `undefined` where there is none. */
export function specialistVersion(
  state: SpecialistState,
  version = state?.current,
): Proposer | Arbiter | undefined {
  const body = version === undefined ? undefined : state?.versions[version - 1];
  if (!state || !body || version === undefined) return undefined;
  const { specialistId, machineName, enabled } = state;
  return { specialistId, machineName, version, enabled, ...body };
}

/** The number of the version that has this body; `undefined` where none has. */
export function versionWith(state: SpecialistState, body: SpecialistBody): number | undefined {
  const text = jsonText(body);
  const index = state?.versions.findIndex((one) => jsonText(one) === text) ?? -1;
  return index < 0 ? undefined : index + 1;
}
