// The entries of the package, which applications import.
import { readFileSync } from 'node:fs';

export const LIBRARY = 'dist/library';

/**
 * The module that each file of dist/library is made of, without its ending: a path from the root of the sources, and below dist/ of what is
 * compiled.
 * @returns {Record<string, string>}
 */
export function libraryEntries() {
  const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const names = Object.values(exports)
    .filter((path) => path.startsWith(`./${LIBRARY}/`))
    .map((path) => path.slice(`./${LIBRARY}/`.length, -'.js'.length));
  return Object.fromEntries(names.map((name) => [name, moduleOf(name)]));
}

/** @param {string} name */
function moduleOf(name) {
  if (name === 'index') return 'libs/engine/index';
  return name === 'http' ? 'apps/server/src/http' : `libs/engine/public/${name}`;
}
