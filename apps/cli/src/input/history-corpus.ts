import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isHistoryFile } from './history-file.js';

/**
 * The history files that a command line names: files as they are, folders deep, `*.jsonl` only, each in the order of its names. A path that
 * is missing is kept: it cannot be read, and that is a result.
 */
export async function historyFilesIn(named: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of named) files.push(...((await isFolder(path)) ? await filesBelow(path) : [path]));
  return files;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && isHistoryFile(entry.name));
  return files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
}
