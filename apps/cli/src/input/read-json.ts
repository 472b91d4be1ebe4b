import { readFile } from 'node:fs/promises';
import { isJsonObject, type Json, type JsonObject, oneLine, thrownText } from '#lib/kernel';
import { InvalidInput } from '../error-classes.js';
import type { MetaOptions } from './options.js';

/** The value in a JSON file. @throws InvalidInput for a file that cannot be read, or that has no JSON */
export async function readJsonFile(file: string): Promise<unknown> {
  const text = await readText(file);
  return parsed(file, text.replace(/^\uFEFF/, ''), 'Correct it there and try again');
}

/** The `metaJson` of a session. @throws InvalidInput when it is not a JSON object */
export async function readMeta({ meta, metaFile }: MetaOptions): Promise<JsonObject | undefined> {
  if (meta !== undefined && metaFile !== undefined) {
    throw new InvalidInput('--meta and --meta-file', 'both are given', 'Leave one of them out');
  }
  if (metaFile !== undefined) return asObject(metaFile, await readJsonFile(metaFile));
  const fix = `Give an object, such as --meta '{"text":"Broken cup"}'`;
  return meta === undefined ? undefined : asObject('--meta', parsed('--meta', meta, fix));
}

/** The value of an option that is JSON text. @throws InvalidInput */
export function readJson(option: string, text: string): Json {
  return parsed(option, text, 'Give JSON, such as {"yes":true}') as Json;
}

/** As `readJson`, of an option that must be an object if it is given. @throws InvalidInput */
export function readObject(option: string, text: string | undefined): JsonObject | undefined {
  return text === undefined ? undefined : asObject(option, readJson(option, text));
}

/** The text of a file. @throws InvalidInput */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new InvalidInput(file, 'there is no such file', 'Check the path');
    throw new InvalidInput(file, `it cannot be read (${code ?? message})`, 'Name a file that you may read');
  }
}

function parsed(what: string, text: string, fix: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = oneLine(thrownText(error));
    throw new InvalidInput(what, `it is not JSON: ${placed(text, message)}`, fix);
  }
}

/** JSON.parse gives the position in characters, if at all; people count lines. */
function placed(text: string, message: string): string {
  const [, place] = /at position (\d+)/.exec(message) ?? [];
  if (place === undefined || message.includes('line ')) return message;
  const before = text.slice(0, Number(place)).split('\n');
  return `${message} (line ${before.length} column ${(before.at(-1) ?? '').length + 1})`;
}

function asObject(what: string, value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new InvalidInput(what, 'it is JSON, but no object', 'Put the value into an object');
}
