import type { SpecialistRecord } from '#lib/projections';
import type { ArbiterRef } from '#lib/session';

/** An arbiter's registration as a round is put before it. */
export function arbiterRef({
  specialistId,
  version,
  strategyFnName,
  strategyWebhookUrl,
  webhookTokenName,
  threshold,
  trust,
}: SpecialistRecord): ArbiterRef {
  return {
    specialistId,
    specialistVersion: version,
    ...(strategyFnName !== undefined && { strategyFnName }),
    ...(strategyWebhookUrl !== undefined && { strategyWebhookUrl }),
    ...(webhookTokenName !== undefined && { webhookTokenName }),
    ...(threshold !== undefined && { threshold }),
    ...(trust && { trust }),
  };
}
