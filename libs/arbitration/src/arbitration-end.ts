import { isJsonObject } from '#lib/kernel';
import type { CloseArbitration } from '#lib/session';
import type { RunEnd } from '#lib/workflow';
import { failureKind } from './failure-kind.js';
import { readVerdict } from './read-verdict.js';

/** The end of an arbitration, for its session. Defined for every end: also of one that was given up, or grew too large. */
export function arbitrationEnd({ status, result, failure }: RunEnd): CloseArbitration['data']['result'] {
  const details = isJsonObject(result) ? result : {};
  const verdict = readVerdict(details['verdict']);
  if (status === 'completed' && !('unusable' in verdict)) return { verdict };
  const { kind = 'interrupted', message = 'The arbitration was ended before there was a verdict.' } =
    failure ?? {};
  const { upstreamStatus } = details;
  const known = typeof upstreamStatus === 'number' && { upstreamStatus };
  return { failure: { kind: failureKind(kind), message, ...known } };
}
