import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { optionalParts } from '#lib/kernel';
import ts from 'typescript';
import { libraryEntries } from '../../tools/library.mjs';

const ROOT = resolve(import.meta.dirname, '../..');

/** The npm packages that a module loads with all it imports; what it imports when it needs it does not count. */
function packagesOf(entry: string): ReadonlySet<string> {
  const [packages, seen] = [new Set<string>(), new Set<string>()];
  const open = [join(ROOT, entry)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const specifier of importedBy(file)) {
      const path = pathOf(specifier, file);
      if (path !== undefined) open.push(path);
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  }
  return packages;
}

function pathOf(specifier: string, file: string): string | undefined {
  const [, lib, entry = 'index'] = /^#lib\/(.+?)(?:\/(core))?$/.exec(specifier) ?? [];
  if (lib !== undefined) return join(ROOT, `libs/${lib}/${entry}.ts`);
  return specifier.startsWith('.') ? join(dirname(file), specifier.replace(/\.js$/, '.ts')) : undefined;
}

const imports = new Map<string, readonly string[]>();

function importedBy(file: string): readonly string[] {
  const known = imports.get(file) ?? readImports(file);
  imports.set(file, known);
  return known;
}

/** The imports and re-exports that are left at run time. */
function readImports(file: string): readonly string[] {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const { statements } = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier: from } = statement;
    return from && ts.isStringLiteral(from) && isForValues(statement) ? [from.text] : [];
  });
}

function isForValues(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  const { importClause: clause, exportClause = clause?.namedBindings } = statement as ts.ImportDeclaration & {
    readonly exportClause?: ts.NamedExportBindings;
  };
  if (ts.isExportDeclaration(statement) ? statement.isTypeOnly : clause?.isTypeOnly) return false;
  if (clause?.name || !exportClause) return true;
  if (!ts.isNamedImports(exportClause) && !ts.isNamedExports(exportClause)) return true;
  return exportClause.elements.some(({ isTypeOnly }) => !isTypeOnly);
}

describe('optional peer dependencies', () => {
  const named = new Set<string>(Object.values(optionalParts).flat());

  it('X-L6: are what servers, MCP and other stores need; 0.2-S9: the image installs them as the lock file has them', () => {
    const { peerDependenciesMeta } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly peerDependenciesMeta: object;
    };
    expect(new Set(Object.keys(peerDependenciesMeta))).toEqual(named);
    const install =
      'RUN node /build/tools/image-lock.mjs && npm install --omit=dev --no-audit --no-fund /package/';
    expect(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).toContain(install);
    const folder = temporaryFolder();
    execFileSync(process.execPath, [join(ROOT, 'tools/image-lock.mjs')], { cwd: folder });
    const readJson = (path: string) =>
      JSON.parse(readFileSync(path, 'utf8')) as { dependencies: object; packages: object };
    const { dependencies } = readJson(join(folder, 'package.json'));
    expect(Object.entries(dependencies)).toEqual(
      Object.keys(peerDependenciesMeta).map((name) => [name, expect.stringMatching(/^\d+\.\d+\.\d+$/)]),
    );
    const [given, made] = [ROOT, folder].map((path) =>
      Object.entries(readJson(join(path, 'package-lock.json')).packages),
    );
    const hashes = (packages = given) =>
      packages
        ?.filter(([path]) => path !== '')
        .map(([path, one]) => [path, (one as { integrity?: string }).integrity]);
    expect(hashes(made)).toEqual(hashes());
  });

  it('X-L6: are not loaded by any export of the library', () => {
    for (const entry of Object.values(libraryEntries())) {
      const loaded = packagesOf(`${entry}.ts`);
      expect(
        [...loaded].filter((path) => [...named].some((name) => `${path}/`.startsWith(`${name}/`))),
      ).toEqual([]);
    }
  });
});

describe('the command line', () => {
  it('X-U4: loads commander for `--help`, and neither Nest nor a database nor a client of models', () => {
    expect(packagesOf('apps/cli/src/main.ts')).toEqual(new Set(['commander']));
  });

  it.each(['inspect', 'replay', 'projections', 'log'])('loads no Nest for `redial %s`', (name) => {
    const packages = [...packagesOf(`apps/cli/src/commands/${name}.ts`)];
    expect(packages.filter((one) => one.startsWith('@nestjs/') || one === 'openai')).toEqual([]);
  });

  it('loads Nest for the commands that run an engine', () => {
    expect(packagesOf('apps/cli/src/engine/with-engine.ts')).toContain('@nestjs/core');
  });
});
