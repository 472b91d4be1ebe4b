import { derivedId } from '#lib/kernel';

/** Each event of a call needs its id several times. */
const known = new Map<string, string>();
const MOST_KNOWN = 4096;

/** The id of the call of a run's step. */
export function callIdOf(runId: string, stepId: string): string {
  const key = `${runId} ${stepId}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const id = derivedId(runId, stepId);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, id);
  return id;
}
