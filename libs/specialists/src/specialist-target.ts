import type { Target } from '#lib/operations';
import { specialistStreamId } from '#lib/specialist';

/** The stream of a specialist. */
export function specialistTarget(name: {
  readonly machineName: string;
  readonly specialistId: string;
}): Target {
  return { category: 'specialist', id: specialistStreamId(name) };
}
