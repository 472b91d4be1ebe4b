// Builds unless dist/ is newer than every source: `npm start`, `npm run redial` and `npm run demo` begin with it.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Written last. */
const BUILT = 'dist/operations.json';
const SOURCES = [
  'apps',
  'libs',
  'test/support/eventstoredb-stand-in',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tools/bundle.mjs',
  'tools/bundle-types.mjs',
  'tools/library.mjs',
  'tools/licences.mjs',
  'operations.json',
  'operations.examples',
];

if (newest(SOURCES) > modified(BUILT)) {
  process.stderr.write('Building (only when sources have changed) …\n');
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
}

/** @param {readonly string[]} paths */
function newest(paths) {
  return Math.max(...paths.flatMap((path) => files(path).map(modified)));
}

/** @param {string} path @returns {string[]} */
function files(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => files(join(path, name)));
}

/** @param {string} path */
function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
