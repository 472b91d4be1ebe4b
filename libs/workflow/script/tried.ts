import { StepFailed } from './failures.js';
import type { Script, Steps } from './script.js';

/** A result, or a failure. */
export type Tried<Result, Failed> = { readonly value: Result } | { readonly failed: Failed };

/** Gives a failed step as a value. Other errors are thrown. */
export function* tried<Result>(script: Script<Result>): Steps<Tried<Result, StepFailed>> {
  try {
    return { value: yield* script };
  } catch (error) {
    if (error instanceof StepFailed) return { failed: error };
    throw error;
  }
}

/** @throws StepFailed */
export function* valueOf<Result>(script: Script<Tried<Result, StepFailed>>): Steps<Result> {
  const given = yield* script;
  if ('failed' in given) throw given.failed;
  return given.value;
}
