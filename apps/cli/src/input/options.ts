import { InvalidArgumentError } from 'commander';

// Options of several commands. `--help` loads this module, but no module that resolves ids or reads files.

/** The options that are allowed before and after every command. */
export interface GlobalOptions {
  readonly dataDir?: string;
  readonly import?: string;
  readonly json?: true;
}

/** `--token`, else `REDIAL_ACTOR_TOKEN`. */
export interface TokenOption {
  readonly token?: string;
}

/** `--meta` is JSON text, `--meta-file` a file that holds it. */
export interface MetaOptions {
  readonly meta?: string;
  readonly metaFile?: string;
}

/** For commands about an object with an id. */
export const AT_HELP = 'as it was: after this revision, at this time (ISO 8601), or at position:<position>';

export const ID_HELP = 'its id, the first characters of it, or `last`';

export const TOKEN_HELP =
  "that person's token (or REDIAL_ACTOR_TOKEN); not needed on a log you can write to, checked where given";

/** An option that may be given several times. */
export function repeated(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** A count on the command line. @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a whole number from 0.');
}

/** A number that is not negative, on the command line. @throws InvalidArgumentError */
export function notNegative(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0 && number < Infinity) return number;
  throw new InvalidArgumentError('It is not a number from 0.');
}

export function positive(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It is not a whole number above 0.');
}
