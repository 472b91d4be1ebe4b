import { ConflictNotSettled, StoreUnavailable } from '#lib/event-store';
import type { RedialError } from '#lib/kernel';
import { CannotPerform, RuntimeStopped, WaitsForPerson } from '#lib/workflow';

const OUTAGES = [WaitsForPerson, RuntimeStopped, CannotPerform, StoreUnavailable, ConflictNotSettled];

/** Whether a workflow that was begun stays open because of this, and recovery can finish it. */
export function isOutage(error: unknown): error is RedialError {
  return OUTAGES.some((type) => error instanceof type);
}
