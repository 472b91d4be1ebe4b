/** One reference token of a JSON pointer (RFC 6901, section 3). */
export function escapePointerToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
