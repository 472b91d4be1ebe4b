import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { connect } from './connect.mjs';

it('a connection to a log maps none of its file into memory: threads of one process would count each part once for each', () => {
  const db = connect(join(temporaryFolder(), 'log.sqlite'));
  const settings = ['mmap_size', 'cache_size', 'synchronous'].map((name) =>
    db.pragma(name, { simple: true }),
  );
  const FULL = 2;
  expect(settings).toEqual([0, -8192, FULL]);
  db.close();
});
