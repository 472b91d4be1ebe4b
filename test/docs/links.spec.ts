import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');

it('links in Markdown lead to files that exist', () => {
  const broken = pages().flatMap((page) =>
    linksIn(page)
      .filter((link) => !existsSync(join(ROOT, dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('0.2-O13: links in documents that the package ships lead to files that it ships', () => {
  const broken = pages()
    .filter(isShipped)
    .flatMap((page) => linksIn(page).map((link) => [page, join(dirname(page), link)] as const))
    .filter(([, target]) => !isShipped(target))
    .map(([page, target]) => `${page}: ${target}`);
  expect(broken).toEqual([]);
});

it('paths of code in Markdown lead to files that exist, except in decisions, which tell of their time', () => {
  const missing = pages()
    .filter((page) => !page.startsWith('docs/decisions/') && page !== 'CHANGELOG.md')
    .flatMap((page) => pathsIn(page).map((path) => [page, path] as const))
    .filter(([, path]) => !existsSync(join(ROOT, path)))
    .map(([page, path]) => `${page}: ${path}`);
  expect(missing).toEqual([]);
});

/** npm ships the first three whatever `files` says. */
function isShipped(path: string): boolean {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    files: readonly string[];
  };
  const named = ['package.json', 'README.md', 'LICENSE', ...files];
  const isIn = (places: readonly string[]) =>
    places.some((place) => path === place || path.startsWith(`${place}/`));
  const excluded = files.filter((file) => file.startsWith('!')).map((file) => file.slice(1));
  return isIn(named) && !isIn(excluded);
}

function pages(): readonly string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  const files = [...readdirSync(ROOT), ...docs.map((file) => join('docs', file))];
  return files.filter((file) => file.endsWith('.md'));
}

/** Without those to other sites, and without the heading that a link names. */
function linksIn(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const targets = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** Those in backticks without a pattern or a placeholder. */
function pathsIn(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/`((?:libs|apps|test|tools|examples)\/[\w./-]+)`/g)].map(([, path = '']) => path);
}
