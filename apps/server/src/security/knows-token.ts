import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether an Authorization header brings this bearer token. */
export function knowsToken(authorization: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

/** Of equal length for every text, so that comparing tells nothing about the token. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
