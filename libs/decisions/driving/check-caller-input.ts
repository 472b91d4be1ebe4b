import { ofProblems, type Problem, reject } from '#lib/kernel';
import { RejectionError } from '#lib/operations/core';
import { type CallerInput, statedMembers } from '#lib/decisions/session';

/** Refuses input that the types exclude but code may pass, before it enters the log. @throws RejectionError with all problems */
export function checkCallerInput(given: CallerInput): void {
  const problems = Object.entries(statedMembers).flatMap(([name, { fits, otherwise }]): Problem[] => {
    const value = given[name as keyof CallerInput];
    return value === undefined || fits(value) ? [] : [{ path: `/${name}`, message: otherwise }];
  });
  if (problems.length === 0) return;
  const text = ofProblems('the call was refused', problems);
  throw new RejectionError(reject('malformed', 'malformed-input', text, problems));
}
