import { branched, type Results, type Steps } from '#lib/workflow';

/** Runs scripts concurrently, and returns all results. Their asks in a turn continue together: see `TurnAsks`. */
export function* together<const Scripts extends readonly Steps<unknown>[]>(
  scripts: Scripts,
): Steps<Results<Scripts>> {
  const parts = scripts.map((script) => ({ script }));
  const results = yield* branched({ path: 'together', scripts: parts, until: 'all' });
  return results.map(({ value }) => value) as Results<Scripts>;
}
