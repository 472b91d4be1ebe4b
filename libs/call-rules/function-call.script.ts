import type { Json } from '#lib/kernel';
import {
  attempts,
  called,
  delayed,
  frozen,
  helper,
  here,
  type Named,
  type Retry,
  type Script,
  type Seen,
  type StepFailed,
  type Steps,
  valueOf,
} from '#lib/workflow';
import type { FunctionCallCompleted } from './function-call.rules.js';

/** Calls a registered function, and gives what it returns. @throws StepFailed if it throws, or gives no JSON value in time */
export function callFunction<Result = Json>(
  fnName: string,
  input: Json,
  { id, attempts: most = 1, again }: Named & Retry = {},
): Script<Result> {
  const begin = function* (): Steps<Result> {
    const name = (yield* here()).name('function', id);
    const made = attempts<Seen, StepFailed>({
      call: (attempt) =>
        called({ id: `${name}#${attempt}`, activity: 'function', input: { fnName, input, attempt } }),
      pause: delayed(most, again),
      pauseId: (attempt) => `${name}-retry#${attempt}`,
    });
    const { data } = (yield* valueOf(made)) as Seen<FunctionCallCompleted>;
    return frozen(data.result) as Result;
  };
  return helper(callFunction, begin, fnName);
}
