import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of a paragraph that is worth a number: shorter ones name the licence or the owner of the copyright. */
const CHARACTERS = 150;

/**
 * The licences of the packages that bundled modules are from. A paragraph that was in an earlier licence, in other lines or quotes, is
 * its number there.
 * @param {readonly string[]} modules their files
 */
export function licencesOf(modules) {
  const folders = modules.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const packages = [...new Set(folders)].filter((folder) => folder !== undefined).toSorted();
  /** @type {Map<string, number>} */
  const numbers = new Map();
  const licences = packages.map((folder) => licenceOf(folder, numbers));
  return ['A number in brackets alone stands for the paragraph that it is before.', ...licences].join('\n\n');
}

/**
 * @param {string} folder of a package
 * @param {Map<string, number>} numbers of paragraphs
 */
function licenceOf(folder, numbers) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((path) => /^licen[cs]e/i.test(path));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => numbered(paragraph, numbers));
  return [[name, version, license].filter(Boolean).join(' '), ...paragraphs].filter(Boolean).join('\n\n');
}

/**
 * @param {string} paragraph
 * @param {Map<string, number>} numbers
 */
function numbered(paragraph, numbers) {
  if (paragraph.length < CHARACTERS) return paragraph;
  const words = paragraph
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/["'“”‘’`]+/g, '"')
    .trim();
  const known = numbers.get(words);
  if (known !== undefined) return `[${known}]`;
  numbers.set(words, numbers.size + 1);
  return `[${numbers.size}] ${paragraph}`;
}
