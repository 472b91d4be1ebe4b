import type { SpecialistRecord } from '#lib/read-models';
import type { ArbiterRef } from '#lib/decisions/session';

/** The reference to a registered arbiter in a round. */
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
