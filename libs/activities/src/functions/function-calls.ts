import type { Json } from '#lib/kernel';
import type { ActivityFailure } from '#lib/workflow';
import { withLinkedSignal } from '../linked-signal.js';
import { messageOf } from '../message-of.js';
import type { Redactor } from '../redactor.js';
import { stopwatch } from '../stopwatch.js';

export type FunctionOutcome<Result> =
  { readonly result: Result; readonly durationMs: number } | { readonly failure: ActivityFailure };

const GIVEN_UP: unique symbol = Symbol('given up');

/**
 * Calls a registered function. What it throws is a failure with its message, never its stack; so is a result that `taken` throws for.
 * There is no time limit: a function that never answers holds its solicitation until the signal comes, and what it does after
 * that is not waited for.
 */
export async function callFunction<Result extends Json>(
  call: () => unknown,
  taken: (result: unknown) => Result,
  redactor: Redactor,
  signal: AbortSignal,
): Promise<FunctionOutcome<Result>> {
  const elapsed = stopwatch();
  const failed = (kind: 'function' | 'interrupted', message: string) => ({
    failure: {
      kind,
      message: redactor.text(message),
      retryable: kind === 'interrupted',
      durationMs: elapsed(),
    },
  });
  try {
    const result = await withLinkedSignal(signal, (linked) => answered(call, linked));
    if (result === GIVEN_UP)
      return failed('interrupted', 'The function was given up before it had answered.');
    return { result: redactor.json(taken(result)), durationMs: elapsed() };
  } catch (error) {
    return failed('function', messageOf(error));
  }
}

/** A function is not begun once the signal has come. */
async function answered(call: () => unknown, signal: AbortSignal): Promise<unknown> {
  return signal.aborted ? GIVEN_UP : Promise.race([call(), givenUp(signal)]);
}

function givenUp(signal: AbortSignal): Promise<typeof GIVEN_UP> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(GIVEN_UP));
  });
}
