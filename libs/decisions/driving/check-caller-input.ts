import { firstProblem, isJsonObject, type Problem, reject, unstorableValue } from '#lib/kernel';
import { RejectionError } from '#lib/operations/core';
import type { CallerInput } from '#lib/decisions/session';

const isAmount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0;

const RULES: {
  readonly [Member in keyof CallerInput]-?: readonly [fits: (value: unknown) => boolean, message: string];
} = {
  reasoning: [(value) => typeof value === 'string', 'is not a text'],
  metaJson: [
    (value) => isJsonObject(value) && unstorableValue(value) === undefined,
    'is not a JSON object, or holds a number that JSON has no text for',
  ],
  costUSD: [isAmount, 'is not a number from 0'],
  latencyMsec: [isAmount, 'is not a number from 0'],
  numInputTokens: [isAmount, 'is not a number from 0'],
  numOutputTokens: [isAmount, 'is not a number from 0'],
};

/** Refuses what the types do not allow but code may pass, so that none of it enters the log. @throws RejectionError with all problems */
export function checkCallerInput(given: CallerInput): void {
  const problems = Object.entries(RULES).flatMap(([name, [fits, message]]): Problem[] => {
    const value = given[name as keyof CallerInput];
    return value === undefined || fits(value) ? [] : [{ path: `/${name}`, message }];
  });
  if (problems.length === 0) return;
  const text = {
    what: 'the call was refused',
    why: firstProblem(problems),
    fix: 'Correct what is listed',
  };
  throw new RejectionError(reject('malformed', 'malformed-input', text, problems));
}
