import { cpSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { unavailable } from './unavailable.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** The error of opening a database with an installed package whose native module was not built. */
function errorWithoutBuild(): unknown {
  const own = createRequire(import.meta.url);
  const target = join(folder, 'node_modules/better-sqlite3');
  mkdirSync(target, { recursive: true });
  const source = dirname(own.resolve('better-sqlite3/package.json'));
  for (const part of ['package.json', 'lib'])
    cpSync(join(source, part), join(target, part), { recursive: true });
  const copy = createRequire(join(folder, 'index.js'));
  try {
    const Database = copy('better-sqlite3') as new (file: string) => unknown;
    return new Database(':memory:');
  } catch (error) {
    return error;
  }
}

it('0.2-O13: a native module that was not built is named, with what to do, and no disk is blamed', () => {
  const error = unavailable('cannot open the event log log.sqlite', errorWithoutBuild());
  expect(error.message).toMatch(
    /native module of better-sqlite3 is not installed.*npm rebuild better-sqlite3/,
  );
  expect(error.message).not.toMatch(/disk/);
});
