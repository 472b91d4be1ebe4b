import { createReadStream } from 'node:fs';
import { HistoryBroken, readHistory, unreadableHistory, verifySealOf } from '#lib/histories/core';
import { PublicSealKey, type Seal, type SealCheck, sealIn, verifySeals } from '#lib/seals/core';
import { settingsFor, withLog } from '../engine/with-log.js';
import { InvalidInput, NotAuthenticated, SealDiffers } from '../error-classes.js';
import { exitCodes } from '../exit-codes.js';
import type { GlobalOptions } from '../input/options.js';
import { readJsonFile, readText } from '../input/read-json.js';
import { type Io, printJson, printLines } from '../io.js';

interface VerifyOptions extends GlobalOptions {
  readonly publicKey?: string;
  readonly since?: string;
}

/** @throws SealDiffers | NotAuthenticated after the JSON is printed, if `--json` is given */
export async function verify(
  { dataDir, json, publicKey, since }: VerifyOptions,
  io: Io,
  file: string | undefined,
): Promise<void> {
  if (file !== undefined && since !== undefined)
    throw new InvalidInput('--since', 'a kept seal is compared with a log', 'Leave it out, or the file');
  const key = publicKey === undefined ? undefined : new PublicSealKey(await readText(publicKey));
  const kept = since === undefined ? undefined : await readSeal(since);
  const check = await (file === undefined
    ? withLog(settingsFor(dataDir), (log) => verifySeals(log, { key, since: kept }))
    : checkFile(file, key));
  const what = file ?? 'the log';
  const failure = failureOf(what, check, { isOfFile: file !== undefined, hasKey: key !== undefined });
  if (json) {
    const exitCode = failure?.exitCode ?? exitCodes.ok;
    printJson(io, { exitCode, events: check?.differs ? check.events : [] });
  } else if (check && !check.differs && check.seal) printLines(io.out, linesOf(check.seal, check.unsealed));
  if (failure) throw failure.error;
}

async function checkFile(file: string, key: PublicSealKey | undefined): Promise<SealCheck | undefined> {
  try {
    const chunks = createReadStream(file, { highWaterMark: 1024 * 1024 });
    return await verifySealOf(readHistory(chunks as AsyncIterable<Uint8Array>), key);
  } catch (error) {
    // A wrong sum or a missing line: the file was changed after it was written.
    if (error instanceof HistoryBroken) return { differs: true, why: error.message, events: [] };
    throw error instanceof Error && 'syscall' in error ? unreadableHistory(file, error) : error;
  }
}

async function readSeal(file: string): Promise<Seal> {
  const seal = sealIn(await readJsonFile(file));
  if (seal) return seal;
  throw new InvalidInput(file, 'it is not a seal', 'Keep the answer of redial seal --json in a file');
}

function failureOf(
  what: string,
  check: SealCheck | undefined,
  { isOfFile, hasKey }: { readonly isOfFile: boolean; readonly hasKey: boolean },
) {
  if (check?.differs) return { exitCode: exitCodes.diverges, error: sealDiffers(what, check) };
  const why = whyNotAuthenticated(check, isOfFile, hasKey);
  if (why === undefined) return undefined;
  const error = new NotAuthenticated(`${what} is not authenticated`, ...why);
  return { exitCode: exitCodes.notAuthenticated, error };
}

const EXPORT_AGAIN = 'Seal the log with redial seal, and export the history again';

type WhyAndFix = readonly [why: string, fix: string];

function whyNotAuthenticated(
  check: SealCheck | undefined,
  isOfFile: boolean,
  hasKey: boolean,
): WhyAndFix | undefined {
  if (!check || check.differs || !check.seal)
    return ['it has no seal', isOfFile ? EXPORT_AGAIN : 'Seal it with redial seal'];
  if (isOfFile && check.unsealed > 0)
    return [`no event differs, but ${check.unsealed} of its events came after the seal`, EXPORT_AGAIN];
  if (hasKey) return undefined;
  return ['no event differs, but no key shows who sealed it', 'Give the public key with --public-key'];
}

function sealDiffers(what: string, { why, events }: Extract<SealCheck, { differs: true }>): SealDiffers {
  const [first] = events;
  const among = first
    ? `, among the ${events.length} events from ${first.stream} revision ${first.revision} on`
    : '';
  return new SealDiffers(
    `${what} differs from its seal`,
    `${why}${among}`,
    'Do not rely on it; find out who can write to it',
    events.map(({ stream, revision }) => `${stream} revision ${revision}`),
  );
}

function linesOf({ index, events, root, log, sealedAt, keyId }: Seal, unsealed: number): readonly string[] {
  const by = keyId === undefined ? 'not signed' : `signed with key ${keyId}`;
  const after = unsealed === 0 ? '' : `; ${unsealed} events came after it`;
  return [
    `sealed: ${events} events under seal ${index} of the log ${log}, ${sealedAt}, ${by}${after}`,
    `root: ${root}`,
  ];
}
