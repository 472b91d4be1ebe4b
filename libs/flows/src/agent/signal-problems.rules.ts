import { inspectSchema } from '#lib/json-schema';
import type { Problem } from '#lib/kernel';
import type { SignalInput } from './agent-definition.js';
import { below, duplicates, ofEach } from './agent-problems.rules.js';
import { directiveProblems, type DirectiveScope } from './directive-problems.rules.js';

/** The problems of signals of the right shape. */
export function signalProblems(
  signals: readonly SignalInput[] = [],
  scope: DirectiveScope,
): readonly Problem[] {
  return [
    ...duplicates(
      signals.map(({ id }) => id),
      'signal id',
      '/id',
    ),
    ...ofEach(signals, ({ extract, handler }) => [
      ...below('/extract', inspectSchema(extract ?? {})),
      ...below('/handler', handlerProblems(handler, scope)),
    ]),
  ];
}

function handlerProblems(handler: SignalInput['handler'], scope: DirectiveScope): readonly Problem[] {
  if (!handler || typeof handler === 'string' || 'fn' in handler) return [];
  const { stopOtherSignals: _, replyWith, ...given } = handler;
  const directive = { ...given, ...(replyWith !== undefined && { reply: replyWith }) };
  return Object.keys(directive).length === 0 ? [] : directiveProblems(directive, scope);
}
