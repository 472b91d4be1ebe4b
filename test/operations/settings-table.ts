import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OF_COMMANDS, VARIABLES } from '../../libs/engine/settings/environment.js';
import { OPTIONS } from '../../libs/engine/settings/redial-options.js';

const BEGIN = '<!-- settings: npm run operations:record -->';
const END = '<!-- /settings -->';
const SETTINGS = join(import.meta.dirname, '../../libs/engine/settings');

/** The page with the settings between the two marks. @throws Error if it has no marks, or a setting has no comment */
export function withSettings(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined)
    throw new Error('The page of operations has lost the marks around its settings.');
  return `${before}${BEGIN}\n\n${linesOf().join('\n')}\n\n${END}${after}`;
}

function linesOf(): readonly string[] {
  const ofVariables = rowsOf('environment.ts', { ...VARIABLES, ...OF_COMMANDS }, false);
  const ofOptions = rowsOf('redial-options.ts', OPTIONS, true);
  return [
    '| variable | option | default | form | meaning |',
    '| --- | --- | --- | --- | --- |',
    ...ofVariables,
    ...ofOptions,
  ];
}

type Setting = (typeof VARIABLES)['port'] | (typeof OPTIONS)['apiToken'];
type Tree = { readonly [name: string]: object };

/** A row for each setting: the comments stand in the order of the settings. */
function rowsOf(file: string, tree: Tree, isOption: boolean): readonly string[] {
  const text = readFileSync(join(SETTINGS, file), 'utf8');
  const settings = settingsOf(tree, '');
  const comments = [...text.matchAll(/\/\*\* (.*) \*\/\n +\w+: (?:variable|option)[(<]/g)].map(
    ([, one]) => one,
  );
  if (comments.length !== settings.length)
    throw new Error(`Each setting of ${file} has a comment of one line.`);
  return settings.map(([path, { variable, reader, default: byDefault }], index) => {
    const cells = [variable, isOption && path, shown(byDefault)].map((one) => (one ? `\`${one}\`` : ''));
    return `| ${[...cells, reader?.form ?? '', comments[index]].join(' | ')} |`;
  });
}

function settingsOf(tree: Tree, at: string): readonly (readonly [path: string, setting: Setting])[] {
  return Object.entries(tree).flatMap(([name, one]) =>
    'variable' in one ? [[at + name, one as Setting]] : settingsOf(one as Tree, `${at}${name}.`),
  );
}

function shown(value: unknown): string {
  return typeof value === 'object' ? '' : JSON.stringify(value ?? '').replaceAll('"', '');
}
