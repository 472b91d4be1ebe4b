import type { Duration, Json } from '#lib/kernel';
import {
  attempts,
  called,
  delayed,
  frozen,
  helper,
  here,
  lengthOf,
  mostAttempts,
  type Named,
  type Retry,
  type Script,
  type StepFailed,
  type Steps,
  type Tried,
  valueOf,
} from '#lib/workflow';
import type { FunctionCall, FunctionCallCompleted } from './function-call.rules.js';

/** The options of a function call. */
export interface FunctionOptions extends Named, Retry {
  /** The time of one attempt: ISO 8601, such as `PT5M`. Default: a minute. */
  readonly timeout?: Duration;
}

/** Calls a registered function, and gives its result. @throws StepFailed if it throws, or gives no JSON value in time */
export function callFunction<Result = Json>(
  fnName: string,
  input: Json,
  { id, attempts: most = 1, again, timeout }: FunctionOptions = {},
): Script<Result> {
  const begin = function* (): Steps<Result> {
    const place = yield* here();
    const name = place.name('function', id);
    const limit = timeout !== undefined && { timeoutMs: lengthOf(place, timeout) };
    const made = attempts<Json, StepFailed>({
      call: (attempt) => functionCalled(`${name}#${attempt}`, { fnName, input, attempt, ...limit }),
      pauses: {
        after: delayed(mostAttempts(place, most), again),
        id: (attempt) => `${name}-retry#${attempt}`,
      },
    });
    return frozen(yield* valueOf(made)) as Result;
  };
  return helper(callFunction, begin, fnName);
}

/** Calls a registered function once, and gives its result or failure. */
export function* functionCalled(id: string, call: FunctionCall): Steps<Tried<Json, StepFailed>> {
  const made = yield* called({ id, activity: 'function', input: call });
  if ('failed' in made) return { failed: made.failed };
  return { value: (made.value.event.data as FunctionCallCompleted['data']).result };
}
