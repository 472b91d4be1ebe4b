import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { regionOf, snippetsOf } from './snippets.js';

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const snippets = snippetsOf('README.md');
const pages = ['README.md', 'docs/code.md', 'docs/nest.md', 'docs/planner.md', 'docs/workflows.md'];

describe('blocks that come from code', () => {
  it.each(pages.flatMap(snippetsOf).filter(({ from }) => from !== undefined))(
    'show $from as it is',
    ({ from, text }) => {
      expect(text).toBe(regionOf(from ?? ''));
    },
  );
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
