import type { JsonObject } from '#lib/kernel';
import { type ArgumentError, checkArguments, type TransitionDefinition } from '#lib/machine';
import type { FailedVerdict } from './judge-choice.js';

/** The problems of arguments: the first errors, and their number. */
export interface WrongArguments {
  readonly argumentErrors: readonly ArgumentError[];
  readonly argumentErrorCount: number;
}

/** How arguments do not fit a transition; `undefined` when they do. */
export function wrongArguments(
  transition: TransitionDefinition,
  args: JsonObject | 'malformed' | undefined,
): WrongArguments | undefined {
  const { errors, count } = checkArguments(transition, args);
  return count === 0 ? undefined : { argumentErrors: errors, argumentErrorCount: count };
}

/** The transition's policy on arguments that no further call can correct: `reask` is `reject`. */
export function refusedArguments(
  { onInvalidArguments = 'accept' }: TransitionDefinition,
  what: string,
  wrong: WrongArguments | undefined,
): FailedVerdict | undefined {
  if (!wrong || onInvalidArguments === 'accept') return undefined;
  return {
    failure: { kind: 'invalid-arguments', message: `The arguments of ${what} do not fit: ${listed(wrong)}.` },
  };
}

function listed({ argumentErrors, argumentErrorCount }: WrongArguments): string {
  const locations = argumentErrors.map(({ path, keyword }) => `${path === '' ? '(root)' : path} ${keyword}`);
  const more = argumentErrorCount - argumentErrors.length;
  return [...locations, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
