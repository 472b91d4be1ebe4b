import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const ROOT = new URL('../../../', import.meta.url);
const GLOBALS = new URL('./globals.mjs', import.meta.url);
/** @type {import('@swc/core').Options} */
const TO_JAVASCRIPT = {
  swcrc: false,
  sourceMaps: 'inline',
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
};

/** Resolves to sources, never to build output. @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return found(GLOBALS);
  // The package's own exports, as the examples import them.
  if (specifier === 'redial-engine') return found(new URL('libs/engine/index.ts', ROOT));
  if (specifier === 'redial-engine/http') return found(new URL('apps/server/src/http.ts', ROOT));
  if (specifier.startsWith('redial-engine/'))
    return found(new URL(`libs/engine/public/${specifier.slice('redial-engine/'.length)}.ts`, ROOT));
  if (specifier.startsWith('#lib/') || specifier === '#operations') {
    return next(specifier, { ...context, conditions: ['source', ...context.conditions] });
  }
  const source = sourceOf(specifier, context.parentURL);
  return source ? found(source) : next(specifier, context);
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.endsWith('.ts') || url.includes('/node_modules/')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { ...TO_JAVASCRIPT, filename });
  return { format: 'module', source: code, shortCircuit: true };
}

/**
 * @param {string} specifier
 * @param {string | undefined} parentUrl
 */
function sourceOf(specifier, parentUrl) {
  if (!/^\..*\.js$/.test(specifier) || parentUrl?.includes('/node_modules/')) return undefined;
  const url = new URL(specifier.replace(/\.js$/, '.ts'), parentUrl);
  return existsSync(url) ? url : undefined;
}

/** @param {URL} url */
function found({ href }) {
  return { url: href, format: /** @type {const} */ ('module'), shortCircuit: true };
}
