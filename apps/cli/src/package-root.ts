import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with package.json: the same from the sources and from the build. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
