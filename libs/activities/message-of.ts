import { types } from 'node:util';

/** The message of any thrown value, never its stack. A connection that tried several addresses holds its reasons in `errors`. */
export function messageOf(error: unknown): string {
  if (!isError(error)) return textOf(error);
  if (error.message === '' && Array.isArray(error.errors)) return error.errors.map(messageOf).join('; ');
  const { code, message } = error;
  return typeof code !== 'string' || message.includes(code) ? message : `${message} (${code})`;
}

function isError(thrown: unknown): thrown is Error & { readonly code?: unknown; readonly errors?: unknown } {
  return thrown instanceof Error || types.isNativeError(thrown);
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'Something that has no words was thrown.';
  }
}
