import { oneLine } from '#lib/kernel';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RedialOptions } from '#lib/engine/core';
import { InvalidInput } from '../error-classes.js';

/** The functions and workflows of an application: what `forRoot` takes, as the default export or as named exports of a module. */
export async function importedOptions(path: string | undefined): Promise<Pick<RedialOptions, Imported>> {
  if (path === undefined) return {};
  const module = await loaded(path);
  const given = module.default ?? module;
  if (typeof given === 'object') return given;
  throw new InvalidInput(`--import ${path}`, 'its default export is no object', 'Export what forRoot takes');
}

type Imported = 'strategies' | 'contexts' | 'arbiters' | 'functions' | 'workflows';
type Module = Pick<RedialOptions, Imported> & { readonly default?: Pick<RedialOptions, Imported> };

async function loaded(path: string): Promise<Module> {
  try {
    return (await import(pathToFileURL(resolve(path)).href)) as Module;
  } catch (error) {
    const why = oneLine(error instanceof Error ? error.message : String(error), 500);
    throw new InvalidInput(`--import ${path}`, why, 'Name a module that Node can load');
  }
}
