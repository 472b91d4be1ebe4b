import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { expect, it } from '@jest/globals';
import { folderInMemory, temporaryFolder } from '#lib/kernel/testing';
import { temporaryRoot } from './temporary-root.mjs';

it('gives the file that runs, and the processes that it starts, folders for temporary files that go with all in them', () => {
  const before = tmpdir();
  const beforeInMemory = process.env['TMPDIR_IN_MEMORY'];
  expect(before).toMatch(/redial-spec-\w+$/);
  const remove = temporaryRoot();
  const folder = temporaryFolder();
  const inMemory = folderInMemory();
  const script = 'process.stdout.write(os.tmpdir())';
  expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toBe(dirname(folder));
  remove();
  process.env['TMPDIR'] = before;
  process.env['TMPDIR_IN_MEMORY'] = beforeInMemory;
  for (const gone of [folder, inMemory])
    expect([existsSync(gone), existsSync(dirname(gone))]).toEqual([false, false]);
  expect(existsSync(before)).toBe(true);
});
