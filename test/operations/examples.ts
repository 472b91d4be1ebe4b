import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { formatted } from './formatted.js';

/** A file for each operation. */
const FOLDER = join(import.meta.dirname, '../../operations.examples');
const OPAQUE: { readonly [member: string]: string | undefined } = {
  token: 'a-secret',
  actorToken: 'a-secret',
  actorTokens: 'a-secret',
  nextCursor: 'a-cursor',
};
const DURATION = /Ms$|Msec$|^p\d\d$/;
/** Not in a name, such as that of a model. */
const DAY = /(?<![\w-])\d{4}-\d\d-\d\d(?![\w-])/g;
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
const HASH = /\b[0-9a-f]{64}\b/g;
const MOST_ITEMS = 2;
/** Names in the replies of the scripted server of models, and names as a real server gives them. */
const MODEL_NAMES: { readonly [name: string]: string | undefined } = {
  'scripted-model': 'gpt-4o-mini-2024-07-18',
  'chatcmpl-scripted': 'chatcmpl-1',
};

const LONGEST_TEXT = 4_000;

/** The first line of a history file; of any other text all. */
function firstOf(text: string): string {
  return text.length > LONGEST_TEXT && text.startsWith('{"redial":')
    ? text.slice(0, text.indexOf('\n') + 1)
    : text;
}

/** A recorded call. */
export interface Call {
  readonly input: object;
  readonly answer: unknown;
}

/** The recorded examples, by operation. */
export function recordedExamples(): { readonly [operation: string]: Call } {
  const files = readdirSync(FOLDER).map((file) => [
    basename(file, '.json'),
    JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Call,
  ]);
  return Object.fromEntries(files) as { readonly [operation: string]: Call };
}

/** Writes recorded calls as examples, and removes those of operations that are gone. */
export async function writeExamples(
  calls: { readonly [operation: string]: Call },
  modelUrl: string,
): Promise<void> {
  for (const file of readdirSync(FOLDER)) rmSync(join(FOLDER, file));
  for (const [operation, call] of Object.entries(calls)) {
    const file = join(FOLDER, `${operation}.json`);
    const text = JSON.stringify(stableCall(call, modelUrl));
    writeFileSync(file, await formatted(file, text));
  }
}

/**
 * The call with all made equal that differs from one recording to the next: ids, hashes, times, durations of answers, addresses
 * and secrets. Of a list the first items are kept. Ids and hashes are numbered in each call by itself: another operation changes no file but its own.
 */
export function stableCall({ input, answer }: Call, modelUrl: string): Call {
  const ids = new Map<string, string>();
  const idFor = (id: string): string => {
    const known = ids.get(id) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  const hashes = new Map<string, string>();
  const hashFor = (hash: string): string => {
    const known = hashes.get(hash) ?? createHash('sha256').update(String(hashes.size)).digest('hex');
    hashes.set(hash, known);
    return known;
  };
  const textFor = (text: string): string =>
    text
      .replaceAll(UUID, idFor)
      .replaceAll(HASH, hashFor)
      .replaceAll(modelUrl, 'https://api.openai.com/v1')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-23T12:00:00.000Z')
      .replaceAll(DAY, '2026-11-23')
      .replaceAll(/scripted-model|chatcmpl-scripted/g, (name) => MODEL_NAMES[name] ?? name)
      .replaceAll('-of-http', '');
  const stable = (value: unknown, isAnswer: boolean, name = ''): unknown => {
    if (typeof value === 'string') return OPAQUE[name] ?? textFor(firstOf(value));
    if (typeof value === 'number') return isAnswer && DURATION.test(name) ? 120 : value;
    if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => stable(item, isAnswer, name));
    if (typeof value !== 'object' || value === null) return value;
    const inner = (member: string) => (name === 'actorTokens' || DURATION.test(name) ? name : member);
    return Object.fromEntries(
      Object.entries(value).map(([member, one]) => [textFor(member), stable(one, isAnswer, inner(member))]),
    );
  };
  return { input: stable(input, false) as object, answer: stable(answer, true) };
}
