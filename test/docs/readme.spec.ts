import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { regionOf, snippetsOf } from './snippets.js';

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const snippets = snippetsOf('README.md');
const guide = readdirSync(join(import.meta.dirname, '../../docs/guide')).map((file) => `docs/guide/${file}`);
const docs = readdirSync(join(import.meta.dirname, '../../docs')).map((file) => `docs/${file}`);
const pages = ['README.md', ...docs, ...guide].filter((page) => page.endsWith('.md'));

describe('blocks that come from code', () => {
  it.each(pages.flatMap(snippetsOf).filter(({ from }) => from !== undefined))(
    'show $from as it is',
    ({ from, text }) => {
      expect(text).toBe(regionOf(from ?? ''));
    },
  );

  it('are all blocks of TypeScript', () => {
    const others = pages.flatMap((page) =>
      snippetsOf(page)
        .filter(({ from, language }) => language === 'ts' && from === undefined)
        .map(({ text }) => `${page}: ${text}`),
    );
    expect(others).toEqual([]);
  });
});

it('the table of errors names every class that says how it is answered, and the package exports them', () => {
  const root = join(import.meta.dirname, '../..');
  const classes = readdirSync(join(root, 'libs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.spec)\.ts$/.test(path))
    .map((path) => readFileSync(join(root, 'libs', path), 'utf8'))
    .flatMap((text) => [
      ...text.matchAll(/^export class (\w+) extends \w+ \{\n {2}override readonly answer\b/gm),
      ...text.matchAll(/^export class (\w+) extends Unfinished /gm),
    ])
    .flatMap(([, name = '']) => (name === 'Unfinished' ? [] : [name]));
  const [, table = ''] = readFileSync(join(root, 'docs/nest.md'), 'utf8').split('| thrown ');
  const [rows = ''] = table.split('\n\n');
  const named = rows.split('\n').flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)]);
  const names = named.map(([, name = '']) => name);
  expect(names.toSorted()).toEqual([...classes, 'RejectionError'].toSorted());
  const index = readFileSync(join(root, 'libs/engine/index.ts'), 'utf8');
  for (const name of names) expect(index).toMatch(new RegExp(`\\b${name}\\b`));
});

describe('the README', () => {
  it('otherwise shows npm scripts alone, and they exist', () => {
    const own = snippets
      .filter(({ from, language }) => from === undefined && language === 'bash')
      .map(({ text }) => text.trim());
    expect(own).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
    expect(Object.keys(scripts)).toEqual(
      expect.arrayContaining(['demo', 'test', 'start', 'check', 'redial']),
    );
  });
});
