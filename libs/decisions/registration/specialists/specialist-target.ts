import type { Target } from '#lib/operations/core';
import { specialistStreamId } from '#lib/decisions/specialists';

/** The stream of a specialist. */
export function specialistTarget(name: {
  readonly machineName: string;
  readonly specialistId: string;
}): Target {
  return { category: 'specialist', id: specialistStreamId(name) };
}
