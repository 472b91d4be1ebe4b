import type { Page } from '#lib/read-models';

/** A list that lacks something, or shows it as it was, says so beside it. */
export function standingStillLines(answer: unknown): readonly string[] {
  const { standsStill } = (answer ?? {}) as Partial<Page<unknown>>;
  if (standsStill === undefined) return [];
  const streams = standsStill === 1 ? '1 stream' : `${standsStill} streams`;
  return [`${streams} of what is listed could not be read: redial projections list says why`];
}
