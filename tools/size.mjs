// Prints the size of what ships, by part: `npm run size`. Counts lines that are not blank. Leaves out specs, testing entries, generated files, bench and demo.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SHORT = 20;
const LEFT_OUT = /\.spec\.ts$|\.generated\.ts$|\/testing\/|^apps\/(?:bench|demo)\//;

const files = ['apps', 'libs']
  .flatMap(filesIn)
  .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !LEFT_OUT.test(path));
const rows = grouped(files);
for (const [part, paths] of [...rows].toSorted(([a], [b]) => a.localeCompare(b))) print(part, paths);
print('all', files);

/** @param {string} part @param {readonly string[]} paths */
function print(part, paths) {
  const lines = paths.map((path) => readFileSync(path, 'utf8').split('\n').filter(isNotBlank));
  const total = lines.flat().length;
  const imports = lines.flat().filter((line) => /^import |^\} from /.test(line)).length;
  const short = lines.filter(({ length }) => length <= SHORT).length;
  const share = ((100 * imports) / total).toFixed(1);
  process.stdout.write(
    `${part.padEnd(32)} ${String(paths.length).padStart(4)} files ${String(total).padStart(6)} lines, ` +
      `${share.padStart(4)} % imports, ${short} files of ${SHORT} lines or fewer\n`,
  );
}

/** @param {string} line */
function isNotBlank(line) {
  return line.trim() !== '';
}

/** A group of libs has no index of its own. @param {string} path */
function partOf(path) {
  const folders = path.split('/');
  const part = folders.slice(0, 2).join('/');
  return part.startsWith('apps/') || existsSync(join(part, 'index.ts'))
    ? part
    : folders.slice(0, 3).join('/');
}

/** @param {readonly string[]} paths */
function grouped(paths) {
  /** @type {Map<string, string[]>} */
  const parts = new Map();
  for (const path of paths) parts.set(partOf(path), [...(parts.get(partOf(path)) ?? []), path]);
  return parts;
}

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}
