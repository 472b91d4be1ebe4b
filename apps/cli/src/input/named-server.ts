import type { ClientOptions } from '#lib/client';
import type { CommandOptions } from '#lib/engine';
import { ServerUnreachable } from '../error-classes.js';
import type { TokenOption } from './options.js';

/**
 * The server that `REDIAL_URL` names, and the tokens to show it; `undefined` where commands run an engine of their own.
 * @param caller with the token of a person, said on the command line
 */
export function namedServer(caller: TokenOption = {}): ClientOptions | undefined {
  const { REDIAL_URL: url, REDIAL_API_TOKEN: token } = process.env;
  if (!url) return undefined;
  return { url, ...(token && { token }), ...proofOf(caller), fetch: reach };
}

/** @throws ServerUnreachable where no server answers */
const reach: typeof fetch = async (address, init) => {
  try {
    return await fetch(address, init);
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    const why = `no server answers there (${code ?? message})`;
    const fix = 'Start it with redial serve, or correct or unset REDIAL_URL';
    throw new ServerUnreachable(`REDIAL_URL ${String(process.env['REDIAL_URL'])}`, why, fix);
  }
};

/**
 * The proof that a command by a person carries. A user who may write to the data folder is trusted, as code with the facade is:
 * without a token there is nothing to prove; one that is given has to be that person's.
 */
export function actingAs(caller: TokenOption): CommandOptions {
  const proof = proofOf(caller);
  return 'actorToken' in proof ? { proof } : {};
}

function proofOf({ token }: TokenOption): { readonly actorToken?: string } {
  const actorToken = token ?? (process.env['REDIAL_ACTOR_TOKEN'] || undefined);
  return actorToken === undefined ? {} : { actorToken };
}
