import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { temporaryRoot } from './temporary-root.mjs';

it('gives the file that runs, and the processes that it starts, a folder for temporary files that goes with all in it', () => {
  const before = tmpdir();
  expect(before).toMatch(/redial-spec-\w+$/);
  const remove = temporaryRoot();
  const folder = temporaryFolder();
  const script = 'process.stdout.write(os.tmpdir())';
  expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toBe(dirname(folder));
  remove();
  process.env['TMPDIR'] = before;
  expect([existsSync(folder), existsSync(dirname(folder)), existsSync(before)]).toEqual([false, false, true]);
});
