/** The words of whatever was thrown, never its stack. A lookup that tried several addresses holds its reasons in `errors`. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return textOf(error);
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  const { code } = error as NodeJS.ErrnoException;
  return typeof code !== 'string' || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return `A ${typeof thrown} was thrown.`;
  }
}
