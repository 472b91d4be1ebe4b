import { type Clock, present } from '#lib/kernel';
import type { CommandContext } from '#lib/operations/core';

/** The metadata of the events that a call writes to a run. @param keyId that of the subject of a new run */
export function callMetadata(
  { commandId, fingerprint, actor, traceparent }: CommandContext,
  correlationId: string,
  clock: Clock,
  keyId?: string,
) {
  return {
    occurredAt: clock.now().toISOString(),
    correlationId,
    commandId,
    ...(fingerprint && { commandFingerprint: fingerprint.text }),
    actor,
    ...present({ traceparent, keyId }),
  };
}
