import type { TrustPolicy } from '#lib/machine';

/** An arbiter as a round is put before it: by name, built in or registered, or behind a webhook. */
export interface ArbiterRef {
  readonly specialistId: string;
  readonly specialistVersion: number;
  readonly strategyFnName?: string;
  readonly strategyWebhookUrl?: string;
  readonly webhookTokenName?: string;
  /** Its own; a state's and the machine's stand above it. */
  readonly threshold?: number;
  /** Its own; a state's and the machine's replace it. */
  readonly trust?: TrustPolicy;
}
