import type { ClientOptions } from '#lib/client';
import type { CommandOptions } from '#lib/operations/core';
import { readEnvironment } from '#lib/engine/core';
import { InvalidInput, ServerUnreachable } from '../error-classes.js';
import { importedOptions } from './imported-options.js';
import type { GlobalOptions, TokenOption } from './options.js';

/**
 * The server that `REDIAL_URL` names, and the tokens to show it; `undefined` if commands run an engine of their own.
 * @param caller with the token of a person from the command line
 * @throws InvalidSetting for a variable that is wrong or misspelt; InvalidInput for the data folder of another engine
 */
export function namedServer({ dataDir, ...caller }: Pick<GlobalOptions, 'dataDir'> & TokenOption = {}):
  | ClientOptions
  | undefined {
  const { REDIAL_URL: url, REDIAL_API_TOKEN: token } = process.env;
  if (!url) return undefined;
  readEnvironment(process.env);
  if (dataDir !== undefined) {
    const why = 'REDIAL_URL names a server, which has its own';
    throw new InvalidInput('--data-dir', why, 'Leave one of them out');
  }
  if (importedOptions()) {
    const why = 'REDIAL_URL names a server, which has its own functions';
    throw new InvalidInput('--import', why, 'Leave one of them out');
  }
  return { url, ...(token && { token }), ...proofOf(caller), fetch: reach };
}

/**
 * For a command that writes with an engine of its own.
 * @throws InvalidInput if `REDIAL_URL` names a server, and no folder is given: the work would not be done at that server
 */
export function refuseServer(command: string, { dataDir }: Pick<GlobalOptions, 'dataDir'>): void {
  if (!process.env['REDIAL_URL'] || dataDir !== undefined) return;
  const why = 'it runs an engine of its own, and REDIAL_URL names a server';
  throw new InvalidInput(command, why, 'Unset REDIAL_URL, or name the folder with --data-dir');
}

/** Error codes from before there is a connection: the request was not sent. Errors of fetch about a URL have no code. */
const NOT_CONNECTED: ReadonlySet<string | undefined> = new Set([
  undefined,
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ERR_INVALID_URL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Resolves once the whole body is received.
 * @throws ServerUnreachable if no server answers, or the connection ends before the answer
 */
const reach: typeof fetch = async (address, init) => {
  try {
    const response = await fetch(address, init);
    return new Response((await response.text()) || null, response);
  } catch (error) {
    throw unreachable(error);
  }
};

/** @param error of `fetch`, or of reading its body */
export function unreachable(error: unknown): ServerUnreachable {
  const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  const what = `REDIAL_URL ${shownUrl(String(process.env['REDIAL_URL']))}`;
  const reason = code ?? message.replace(/\/\/.*@/, '//');
  if (NOT_CONNECTED.has(code)) {
    const fix = 'Start it with redial serve, or correct or unset REDIAL_URL';
    return new ServerUnreachable(what, `no server answers there (${reason})`, fix);
  }
  const why = `the connection ended before the answer (${reason}), and the command may have been carried out`;
  return new ServerUnreachable(what, why, 'If it writes, repeat it under the key that it had');
}

/** Without the user and the password that it may have. */
export function shownUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '(no valid URL)';
}

/**
 * The proof of a person for a command. A user who may write to the data folder is trusted, like code with the facade: without a token no
 * proof is needed, and a token that is given must be that person's.
 */
export function actingAs(caller: TokenOption): CommandOptions {
  const proof = proofOf(caller);
  return 'actorToken' in proof ? { proof } : {};
}

function proofOf({ token }: TokenOption): { readonly actorToken?: string } {
  const actorToken = token ?? (process.env['REDIAL_ACTOR_TOKEN'] || undefined);
  return actorToken === undefined ? {} : { actorToken };
}
