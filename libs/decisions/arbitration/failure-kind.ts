import type { ArbitrationFailure } from '#lib/decisions/session';

const KINDS: readonly ArbitrationFailure['kind'][] = [
  'network',
  'timeout',
  'interrupted',
  'http-error',
  'unusable-verdict',
  'function',
];

/** The kind of an arbitration's failure, from that of a failed call or run. A kind that sessions do not have becomes `interrupted`. */
export function failureKind(kind: string): ArbitrationFailure['kind'] {
  if (kind === 'unusable' || kind === 'unusable-reply' || kind === 'too-large') return 'unusable-verdict';
  return KINDS.find((one) => one === kind) ?? 'interrupted';
}
