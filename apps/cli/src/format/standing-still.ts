import type { Page } from '#lib/read-models';

/** A list whose rows are missing or old for some streams says so beside it. */
export function standingStillLines(answer: unknown): readonly string[] {
  const { standsStill } = (answer ?? {}) as Partial<Page<unknown>>;
  if (standsStill === undefined) return [];
  const streams = standsStill === 1 ? '1 stream' : `${standsStill} streams`;
  return [`${streams} of this list could not be read: redial projections list says why`];
}
