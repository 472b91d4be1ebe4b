import { RedialError } from '#lib/kernel';
import { PAGES_OF_ITEMS, PAGES_OF_LISTS } from '../console/serve-console.js';

/** The path of `RedialHttpModule` cannot be read. Stops the start. */
class InvalidPath extends RedialError {}

/** A name that no other route of an application has: the text before it is the path where the API is mounted. */
export const ALL_OF_V1 = 'v1/{*ofRedial}';

/**
 * The routes of the API in an application. Below a path of its own, all paths are Redial's; beside the routes of the application, only those
 * of a server.
 */
export function routesBelow(path: string, console: boolean): readonly string[] {
  if (!/^(?:\/[\w.~-]+)*\/?$/.test(path))
    throw new InvalidPath(`the path ${path}`, 'it is no path of words', 'Write it such as /redial');
  const pages = console
    ? ['', 'assets/{*rest}', ...PAGES_OF_LISTS, ...PAGES_OF_ITEMS.map((page) => `${page}/:id`)]
    : [];
  const own = ['health/{*rest}', 'metrics', 'openapi.json', 'docs', 'docs/{*rest}', ...pages];
  return [ALL_OF_V1, ...(/^\/?$/.test(path) ? own : ['', '{*rest}'])];
}
