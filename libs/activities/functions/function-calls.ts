import { excerpt, LONGEST_MESSAGE } from '#lib/call-rules';
import type { Json } from '#lib/kernel';
import { type ActivityFailure, LONGEST_TIMER_MS, stopwatch, withLinkedSignal } from '#lib/workflow';
import { messageOf } from '../message-of.js';
import type { Redactor } from '../redaction/redactor.js';

type FunctionOutcome<Result> =
  | { readonly result: Result; readonly durationMs: number }
  | { readonly failure: ActivityFailure };

/** How long a caller waits for a function. */
interface CallLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

const GIVEN_UP: unique symbol = Symbol('given up');
const TOO_LATE: unique symbol = Symbol('too late');

/**
 * Calls a registered function. If it throws, or `taken` throws for its result, the call fails with the message, never with the stack.
 * Only an exception of the function itself is `retryable`: after any other failure, the function may have done its work.
 * After `timeoutMs`, or when the signal aborts, the call has failed, and the function runs on unobserved.
 */
export async function callFunction<Result extends Json>(
  call: () => unknown,
  taken: (result: unknown) => Result,
  redactor: Redactor,
  { signal, timeoutMs }: CallLimits,
): Promise<FunctionOutcome<Result>> {
  const elapsed = stopwatch();
  const failed = (kind: 'function' | 'interrupted' | 'timeout', message: string, retryable = false) => ({
    failure: {
      kind,
      message: excerpt(redactor.text(message), LONGEST_MESSAGE),
      retryable,
      durationMs: elapsed(),
    },
  });
  let hasAnswered = false;
  try {
    const result = await withLinkedSignal(signal, (linked) => answered(call, linked, timeoutMs));
    if (result === TOO_LATE) return failed('timeout', `The function did not answer within ${timeoutMs} ms.`);
    if (result === GIVEN_UP)
      return failed('interrupted', 'The function was given up before it had answered.');
    hasAnswered = true;
    return { result: redactor.json(taken(result)), durationMs: elapsed() };
  } catch (error) {
    return failed('function', messageOf(error), !hasAnswered);
  }
}

/** A function is not begun once the signal has come. */
async function answered(call: () => unknown, signal: AbortSignal, timeoutMs: number): Promise<unknown> {
  if (signal.aborted) return GIVEN_UP;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.min(timeoutMs, LONGEST_TIMER_MS), TOO_LATE);
  });
  try {
    return await Promise.race([call(), givenUp(signal), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function givenUp(signal: AbortSignal): Promise<typeof GIVEN_UP> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(GIVEN_UP));
  });
}
