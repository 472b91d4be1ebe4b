import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import config from '../../docs/.vitepress/config.mjs';

const DOCS = join(import.meta.dirname, '../../docs');

it('the site lists each page once', () => {
  const listed = config.themeConfig.sidebar.flatMap(({ items }) => items.map(({ link }) => link));
  const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.startsWith('decisions/') && file !== 'guide/README.md')
    .map((file) => `/${file.replace(/\.md$/, '')}`);
  expect(listed.toSorted()).toEqual(pages.toSorted());
});
