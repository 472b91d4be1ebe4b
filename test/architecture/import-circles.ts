import { dirname, join } from 'node:path/posix';
import type { SourceFile } from './source-files.js';

/** Files that reach themselves through imports, of types too: each as the circle that was found first, from its first file back to it. */
export function importCircles(files: readonly SourceFile[]): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    const before = way.indexOf(path);
    if (before >= 0) circles.push([...way.slice(before), path].join(' → '));
    if (before >= 0 || done.has(path)) return;
    for (const next of relativeImports(byPath.get(path))) if (byPath.has(next)) visit(next, [...way, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return circles;
}

function relativeImports(file: SourceFile | undefined): readonly string[] {
  if (!file) return [];
  const relative = file.imports.filter((specifier) => specifier.startsWith('.'));
  return relative.flatMap((specifier) => {
    const path = join(dirname(file.path), specifier);
    return [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')];
  });
}
