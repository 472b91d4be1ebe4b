import { specialistStreamId } from '#lib/specialist';
import type { Target } from '../write-side/command-writer.js';

/** The stream of a specialist. */
export function specialistTarget(name: {
  readonly machineName: string;
  readonly specialistId: string;
}): Target {
  return { category: 'specialist', id: specialistStreamId(name) };
}
