import { types } from 'node:util';
import { thrownText } from '#lib/kernel';

/**
 * The message of any thrown value, never its stack. An error of a connection that tried several addresses has its reasons in `errors`. It does not
 * throw.
 */
export function messageOf(error: unknown): string {
  try {
    if (isError(error) && error.message === '' && Array.isArray(error.errors))
      return error.errors.map(wordsOf).join('; ');
    return wordsOf(error);
  } catch {
    return thrownText(error);
  }
}

function wordsOf(error: unknown): string {
  if (!isError(error)) return thrownText(error);
  const { code } = error;
  const message = thrownText(error.message);
  return typeof code !== 'string' || message.includes(code) ? message : `${message} (${code})`;
}

/** Code may set the members of an error to any value. */
interface Thrown {
  readonly message: unknown;
  readonly code?: unknown;
  readonly errors?: unknown;
}

function isError(thrown: unknown): thrown is Thrown {
  return thrown instanceof Error || types.isNativeError(thrown);
}
