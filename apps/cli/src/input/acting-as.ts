import type { CommandOptions } from '#lib/engine';

/** `--token`, else `REDIAL_ACTOR_TOKEN`. */
export interface TokenOption {
  readonly token?: string;
}

/**
 * The proof that a command by a person carries. A user who may write to the data folder is trusted, as code with the facade is:
 * without a token there is nothing to prove; one that is given has to be that person's.
 */
export function actingAs({ token }: TokenOption): CommandOptions {
  const actorToken = token ?? (process.env['REDIAL_ACTOR_TOKEN'] || undefined);
  return actorToken === undefined ? {} : { proof: { actorToken } };
}

export const TOKEN_HELP =
  "that person's token (or REDIAL_ACTOR_TOKEN); not needed on a log you can write to, checked where given";
