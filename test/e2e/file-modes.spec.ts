import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { startEngine } from '../support/engine.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Permissions by name, of a folder and of what is in it, while an engine runs there. */
async function modesIn(dataDir: string) {
  const engine = await startEngine([], { dataDir });
  const tool = { toolId: 'find', description: 'Finds it', parameters: { type: 'object' } };
  await engine.redial.registerTool({ ...tool, execution: { fnName: 'find' } });
  const names = readdirSync(dataDir).toSorted();
  const modes = names.map((name) => [name, modeOf(join(dataDir, name))] as const);
  await engine.stop();
  return { folder: modeOf(dataDir), files: Object.fromEntries(modes) };
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

it('0.2-S9: files and folders that the engine makes are for their owner alone', async () => {
  const { files, ...made } = await modesIn(join(folder, 'above', 'data'));
  expect([made.folder, modeOf(join(folder, 'above'))]).toEqual(['700', '700']);
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining([
      'log.sqlite',
      'log.sqlite-shm',
      'log.sqlite-wal',
      'read.sqlite',
      'read.sqlite-wal',
    ]),
  );
  expect(new Set(Object.values(files))).toEqual(new Set(['600']));
});

it('keeps the mode of a folder and of a file that are there', async () => {
  const dataDir = join(folder, 'shared');
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o750);
  writeFileSync(join(dataDir, 'log.sqlite'), '');
  chmodSync(join(dataDir, 'log.sqlite'), 0o640);
  const { files, ...shared } = await modesIn(dataDir);
  expect(shared.folder).toBe('750');
  expect(files).toMatchObject({ 'log.sqlite': '640', 'log.sqlite-wal': '640', 'read.sqlite': '600' });
});
