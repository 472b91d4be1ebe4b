import type { ArbitrationFailure } from '#lib/session';

const KINDS: readonly ArbitrationFailure['kind'][] = [
  'network',
  'timeout',
  'interrupted',
  'http-error',
  'unusable-verdict',
  'function',
];

/** The kind of an arbitration's failure for that of a call or a run. What a session has no kind for was interrupted. */
export function failureKind(kind: string): ArbitrationFailure['kind'] {
  if (kind === 'unusable' || kind === 'unusable-reply' || kind === 'too-large') return 'unusable-verdict';
  return KINDS.find((one) => one === kind) ?? 'interrupted';
}
