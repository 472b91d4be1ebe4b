import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';

const ROOT = join(import.meta.dirname, '../..');
const HERE = join(ROOT, 'apps/create');
const MAIN = join(HERE, 'main.mjs');

const create = (cwd: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
};

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

describe('create-redial', () => {
  it('makes the application in a new folder, with the folder as its name and the release of Redial that it belongs to', () => {
    const folder = temporaryFolder();
    expect(create(folder, 'desks/Refund Desk')).toMatchObject({ status: 0, stderr: '' });
    const made = join(folder, 'desks/Refund Desk');
    const { version } = json(join(HERE, 'package.json'));
    expect(json(join(made, 'package.json'))).toMatchObject({
      name: 'refund-desk',
      dependencies: { 'redial-engine': `^${String(version)}` },
    });
    expect(readdirSync(made)).toEqual(
      expect.arrayContaining(['.gitignore', 'README.md', 'machine.json', 'src']),
    );
    expect(existsSync(join(made, 'gitignore'))).toBe(false);
  });

  it('takes an empty folder and another version of Redial', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'empty'));
    expect(create(folder, 'empty', '--redial', '~0.3.0').status).toBe(0);
    expect(json(join(folder, 'empty/package.json'))).toMatchObject({
      dependencies: { 'redial-engine': '~0.3.0' },
    });
  });

  it('takes a tarball by its path from where the command runs, and writes its path from the new folder', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'redial.tgz'), '');
    expect(create(folder, 'desks/one', '--redial', './redial.tgz').status).toBe(0);
    expect(json(join(folder, 'desks/one/package.json'))).toMatchObject({
      dependencies: { 'redial-engine': 'file:../../redial.tgz' },
    });
  });

  it('refuses a folder that has files, and changes nothing in it', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'kept.txt'), 'mine');
    expect(create(folder, '.')).toEqual({
      status: 2,
      stdout: '',
      stderr: '[Usage] create-redial: . is not empty. Name a folder that is new or empty.\n',
    });
    expect(readdirSync(folder)).toEqual(['kept.txt']);
  });

  it.each([[[]], [['one', 'two']], [['one', '--unknown']]])('refuses %j, and makes nothing', (args) => {
    const folder = temporaryFolder();
    const { status, stderr } = create(folder, ...args);
    expect([status, readdirSync(folder)]).toEqual([2, []]);
    expect(stderr).toMatch(/^\[Usage\] create-redial: /);
  });

  it('has the version of the engine', () => {
    expect(json(join(HERE, 'package.json'))['version']).toBe(json(join(ROOT, 'package.json'))['version']);
  });
});
