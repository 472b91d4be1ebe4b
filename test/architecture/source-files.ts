import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { libOf } from './levels.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** One TypeScript source file, as the architecture rules look at it. */
export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  /** `libs/<lib>`, `apps/<name>`, or the first two parts of another path. */
  readonly unit: string;
  readonly isSpec: boolean;
  /** Whether it is below a `testing` folder. */
  readonly isTesting: boolean;
  readonly text: string;
  readonly lines: number;
  /** Module specifiers of its imports and re-exports, dynamic ones too. */
  readonly imports: readonly string[];
}

let known: readonly SourceFile[] | undefined;

/** All sources below `libs` and `apps`, specs included. */
export function sourceFiles(): readonly SourceFile[] {
  known ??= sourcesBelow('libs', 'apps');
  return known;
}

export function sourcesBelow(...folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) => typeScriptBelow(join(ROOT, folder))).map(readSource);
}

function typeScriptBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return typeScriptBelow(path);
    return /\.(tsx?|mjs)$/.test(entry.name) ? [path] : [];
  });
}

function readSource(file: string): SourceFile {
  const path = relative(ROOT, file).replaceAll('\\', '/');
  const text = readFileSync(file, 'utf8');
  return {
    path,
    unit: unitOf(path),
    isSpec: path.endsWith('.spec.ts'),
    isTesting: path.includes('/testing/'),
    text,
    lines: text.split('\n').length - 1,
    imports: ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName),
  };
}

function unitOf(path: string): string {
  const lib = libOf(path);
  return lib === undefined ? path.split('/').slice(0, 2).join('/') : `libs/${lib}`;
}
