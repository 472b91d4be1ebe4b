#!/usr/bin/env node
// Copies the application in `template` into a new folder: `npm create redial <folder>`.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';

const TEMPLATE = join(import.meta.dirname, 'template');
const USAGE = 'create-redial <folder> [--redial <spec>]: makes an application in a new folder.\n';

try {
  create();
} catch (error) {
  process.stderr.write(`[Usage] create-redial: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}

function create() {
  const { values, positionals } = readArguments();
  if (values.help) return void process.stdout.write(USAGE);
  const [given] = positionals;
  if (given === undefined || positionals.length > 1) throw new Error(`one folder is needed. ${USAGE.trim()}`);
  const folder = resolve(given);
  if (entriesOf(folder).length > 0)
    throw new Error(`${given} is not empty. Name a folder that is new or empty.`);
  write(folder, values.redial === undefined ? versionHere() : specIn(folder, values.redial));
  process.stdout.write(
    `An application is in ${given}. Go on with:\n\n  cd ${given}\n  npm install && npm run demo\n`,
  );
}

function readArguments() {
  const options = /** @type {const} */ ({
    redial: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  return parseArgs({ options, allowPositionals: true });
}

/** @param {string} folder @returns {readonly string[]} none if there is no such folder */
function entriesOf(folder) {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * The path of a tarball or a folder is relative to the working directory, and npm reads it from the new folder. Versions and tags are no
 * paths, also if a file has their name.
 * @param {string} folder @param {string} spec
 */
function specIn(folder, spec) {
  const path = resolve(spec);
  const isPath = spec.startsWith('.') || spec.includes(sep) || spec.endsWith('.tgz');
  return isPath && existsSync(path) ? `file:${relative(folder, path)}` : spec;
}

/** @param {string} folder @param {string} spec The version, range, tarball or folder of `redial-engine`. */
function write(folder, spec) {
  mkdirSync(folder, { recursive: true });
  cpSync(TEMPLATE, folder, { recursive: true });
  // npm leaves a file of the name .gitignore out of packages.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  manifest.name =
    basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9._-]+/g, '-')
      .replace(/^[._-]+/, '') || 'redial-application';
  manifest.dependencies['redial-engine'] = spec;
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The two packages are released together. */
function versionHere() {
  return `^${JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')).version}`;
}
