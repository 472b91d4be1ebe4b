// Makes a release commit and its tag: `npm run release -- 0.2.0`. Pushes nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [version = ''] = process.argv.slice(2);
const date = new Date().toISOString().slice(0, 10);

try {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the version, such as 0.2.0.');
  if (run('git', 'status', '--porcelain') !== '') throw new Error('The tree has uncommitted changes.');
  if (run('git', 'tag', '--list', `v${version}`) !== '') throw new Error(`The tag v${version} exists.`);
  const changelog = datedChangelog();
  process.stdout.write('Running every check first (npm run check) …\n');
  run('npm', 'run', 'check');
  writeFileSync('CHANGELOG.md', changelog);
  for (const folder of ['.', 'apps/create'])
    run('npm', 'version', version, '--no-git-tag-version', '--prefix', folder);
  // Answers that are recorded name the release.
  run('npm', 'run', 'operations:record');
  run('git', 'commit', '--all', '--message', `Release ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Redial ${version}`);
  process.stdout.write(`v${version} is committed and tagged. Push it with: git push --follow-tags\n`);
} catch (error) {
  process.stderr.write(`No release: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** The changelog in which the section of the version has its date. */
function datedChangelog() {
  const text = readFileSync('CHANGELOG.md', 'utf8');
  const heading = `## ${version} (unreleased)\n`;
  if (!text.includes(heading)) throw new Error(`CHANGELOG.md has no heading "${heading.trim()}".`);
  return text.replace(heading, `## ${version} (${date})\n`);
}

/** @param {string} command @param {readonly string[]} args */
function run(command, ...args) {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}
