/** One reference token of a JSON pointer (RFC 6901, section 3). */
export function escapePointerToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The reference tokens of a JSON pointer; `undefined` for any other text. */
export function pointerTokens(pointer: string): readonly string[] | undefined {
  if (pointer !== '' && !pointer.startsWith('/')) return undefined;
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
