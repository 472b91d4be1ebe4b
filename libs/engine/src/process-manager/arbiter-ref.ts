import type { SpecialistRecord } from '#lib/projections';
import type { ArbiterRef } from '#lib/session';

/** An arbiter's registration as a round is put before it. */
export function arbiterRef({
  specialistId,
  strategyFnName,
  strategyWebhookUrl,
  webhookTokenName,
  threshold,
}: SpecialistRecord): ArbiterRef {
  return {
    specialistId,
    ...(strategyFnName !== undefined && { strategyFnName }),
    ...(strategyWebhookUrl !== undefined && { strategyWebhookUrl }),
    ...(webhookTokenName !== undefined && { webhookTokenName }),
    ...(threshold !== undefined && { threshold }),
  };
}
