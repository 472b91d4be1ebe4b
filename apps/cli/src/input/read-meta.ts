import { isJsonObject, type JsonObject } from '#lib/kernel';
import { InvalidInput } from '../error-classes.js';
import { readJsonFile } from './read-json-file.js';

export interface MetaOptions {
  /** JSON text. */
  readonly meta?: string;
  readonly metaFile?: string;
}

/** The `metaJson` of a session. @throws InvalidInput when it is no JSON object */
export async function readMeta({ meta, metaFile }: MetaOptions): Promise<JsonObject | undefined> {
  if (meta !== undefined && metaFile !== undefined) {
    throw new InvalidInput('--meta and --meta-file', 'both are given', 'Leave one of them out');
  }
  if (metaFile !== undefined) return asObject(metaFile, await readJsonFile(metaFile));
  return meta === undefined ? undefined : asObject('--meta', parsed(meta));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = `it is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    throw new InvalidInput('--meta', why, `Give an object, such as --meta '{"text":"Broken cup"}'`);
  }
}

function asObject(what: string, value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new InvalidInput(what, 'it is JSON, but no object', 'Put the value into an object');
}
