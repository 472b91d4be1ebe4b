import { inspectSchema } from '#lib/json-schema';
import type { Problem } from '#lib/kernel';
import type { SignalInput } from './agent-definition.js';
import { below, duplicates } from './agent-problems.rules.js';
import { directiveProblems, type DirectiveScope } from './directive-problems.rules.js';

/** The problems of signals of the right shape. */
export function signalProblems(
  signals: readonly SignalInput[] = [],
  scope: DirectiveScope,
): readonly Problem[] {
  const ids = signals.map(({ id }) => id);
  return [
    ...duplicates(ids, (index) => `/signals/${index}/id`, 'signal id'),
    ...signals.flatMap(({ extract, handler }, index) => [
      ...(extract ? below(`/signals/${index}/extract`, inspectSchema(extract)) : []),
      ...handlerProblems(handler, scope, `/signals/${index}/handler`),
    ]),
  ];
}

function handlerProblems(
  handler: SignalInput['handler'],
  scope: DirectiveScope,
  base: string,
): readonly Problem[] {
  if (!handler || typeof handler === 'string' || 'fn' in handler) return [];
  const { stopOtherSignals: _, replyWith, ...given } = handler;
  const directive = { ...given, ...(replyWith !== undefined && { reply: replyWith }) };
  return Object.keys(directive).length === 0 ? [] : directiveProblems(directive, scope, base);
}
