import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import ts from 'typescript';
import { libraryEntries } from '../../tools/library.mjs';

const ROOT = resolve(import.meta.dirname, '../..');

/** The entries of the package, as sources. */
function entries(): readonly string[] {
  return Object.values(libraryEntries()).map((path) => `${path}.ts`);
}

const parsed = new Map<string, readonly ts.Statement[]>();

function statementsOf(file: string): readonly ts.Statement[] {
  const known = parsed.get(file);
  if (known) return known;
  const { statements } = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  parsed.set(file, statements);
  return statements;
}

/** The modules that an entry exports from, with the names; no names where it exports all of a module. */
function exportedFrom(
  file: string,
): readonly { readonly path: string; readonly names?: readonly string[] }[] {
  return statementsOf(file).flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) return [];
    const path = pathOf((statement.moduleSpecifier as ts.StringLiteral).text, file);
    const { exportClause: clause } = statement;
    if (clause && ts.isNamespaceExport(clause)) return [];
    return [
      {
        path,
        ...(clause && { names: clause.elements.map(({ name, propertyName = name }) => propertyName.text) }),
      },
    ];
  });
}

function pathOf(specifier: string, from: string): string {
  const [, lib, entry = 'index'] = /^#lib\/(.+?)(?:\/(core))?$/.exec(specifier) ?? [];
  if (lib !== undefined) return join(ROOT, `libs/${lib}/${entry}.ts`);
  const path = join(dirname(from), specifier);
  return existsSync(path) ? path : path.replace(/\.js$/, '.ts');
}

/** `file: name` of the symbols without TSDoc that this module exports, or exports from another one. */
function undocumented(file: string, names?: readonly string[]): readonly string[] {
  const wanted = (name: string) => names === undefined || names.includes(name);
  const exported = statementsOf(file).filter(isExported);
  const documented = exported.filter(hasTsDoc).flatMap(namesOf);
  const own = exported
    .flatMap(namesOf)
    .filter((name) => wanted(name) && !documented.includes(name))
    .map((name) => `${relative(ROOT, file)}: ${name}`);
  const others = exportedFrom(file).flatMap(({ path, names: all }) =>
    undocumented(path, names && all ? all.filter(wanted) : (all ?? names)),
  );
  return [...own, ...others];
}

function isExported(statement: ts.Statement): boolean {
  return (ts.getCombinedModifierFlags(statement as ts.DeclarationStatement) & ts.ModifierFlags.Export) !== 0;
}

function hasTsDoc(statement: ts.Statement): boolean {
  return ts.getJSDocCommentsAndTags(statement).length > 0;
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.DeclarationStatement;
  return name ? [name.text] : [];
}

it('has TSDoc on every symbol that the package exports', () => {
  // The client is generated: its methods have the summaries of the operations.
  const written = entries().filter((entry) => !entry.endsWith('/client.ts'));
  expect([...new Set(written.flatMap((entry) => undocumented(join(ROOT, entry))))]).toEqual([]);
});

it('has every entry of the package in the API reference', () => {
  const { entryPoints } = JSON.parse(readFileSync(join(ROOT, 'typedoc.json'), 'utf8')) as {
    readonly entryPoints: readonly string[];
  };
  expect(entryPoints).toEqual(entries());
});
