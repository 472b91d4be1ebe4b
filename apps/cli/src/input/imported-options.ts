import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EngineSettings, type RedialOptions } from '#lib/engine/core';
import { oneLine, thrownText } from '#lib/kernel';
import { InvalidInput } from '../error-classes.js';

// Like the environment, the module of `--import` belongs to the process: every engine of a command has its options.
let imported: RedialOptions | undefined;

/** The options of the module; `undefined` without one. */
export function importedOptions(): RedialOptions | undefined {
  return imported;
}

/**
 * Loads the options of `forRoot` from the default export or the named exports of a module; forgets the module before it.
 * @throws InvalidInput if it cannot be loaded, or cannot be used
 */
export async function importOptions(path: string | undefined): Promise<void> {
  imported = undefined;
  if (path === undefined) return;
  const module = await loaded(path);
  const given = 'default' in module ? module.default : { ...module };
  if (typeof given !== 'object' || given === null)
    throw cannotImport(path, 'its default export is no object', 'Export the options of forRoot');
  try {
    imported = new EngineSettings(given).options;
  } catch (error) {
    throw cannotImport(path, reasonOf(error), 'Correct its exports');
  }
}

async function loaded(path: string): Promise<object & { readonly default?: unknown }> {
  const file = resolve(path);
  if (!existsSync(file)) throw cannotImport(path, 'there is no such file', 'Name a module that is there');
  try {
    return (await import(pathToFileURL(file).href)) as object;
  } catch (error) {
    throw cannotImport(path, reasonOf(error), 'Name a module that Node can load');
  }
}

function reasonOf(error: unknown): string {
  return oneLine(thrownText(error), 500);
}

function cannotImport(path: string, why: string, fix: string): InvalidInput {
  return new InvalidInput(`--import ${path}`, why, fix);
}
