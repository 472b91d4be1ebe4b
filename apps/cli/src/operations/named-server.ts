import type { ClientOptions } from '#lib/client';

/**
 * The server that `REDIAL_URL` names, and the tokens to show it; `undefined` where commands run an engine of their own.
 * @param token of a person, said on the command line
 */
export function namedServer(token?: string): ClientOptions | undefined {
  const { REDIAL_URL: url, REDIAL_API_TOKEN, REDIAL_ACTOR_TOKEN } = process.env;
  if (!url) return undefined;
  const actorToken = token ?? REDIAL_ACTOR_TOKEN;
  return {
    url,
    ...(REDIAL_API_TOKEN && { token: REDIAL_API_TOKEN }),
    ...(actorToken && { actorToken }),
  };
}
