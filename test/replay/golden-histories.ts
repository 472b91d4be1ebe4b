import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '#lib/kernel';
import type { History } from './history.js';

const FOLDER = join(import.meta.dirname, 'histories');
const MANIFEST = 'manifest.json';

/** The SHA-256 of each history file of a version, by its name. */
export type Manifest = { readonly [name: string]: string };

/** The versions that recorded histories, oldest first. */
export function versions(): readonly string[] {
  return readdirSync(FOLDER).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

export function historyNames(version: string): readonly string[] {
  const files = readdirSync(join(FOLDER, version)).filter((file) => file !== MANIFEST);
  return files.map((file) => file.replace(/\.json$/, '')).toSorted();
}

export function readHistoryText(version: string, name: string): string {
  return readFileSync(join(FOLDER, version, `${name}.json`), 'utf8');
}

export function manifestOf(version: string): Manifest {
  return JSON.parse(readFileSync(join(FOLDER, version, MANIFEST), 'utf8')) as Manifest;
}

/** Every history of every version: `<version>/<name>`. */
export function recordedHistories(): readonly { readonly name: string; readonly history: History }[] {
  return versions().flatMap((version) =>
    historyNames(version).map((name) => ({
      name: `${version}/${name}`,
      history: JSON.parse(readHistoryText(version, name)) as History,
    })),
  );
}

/** Replaces all histories of a version, and their manifest. */
export function writeHistories(version: string, histories: ReadonlyMap<string, History>): void {
  const folder = join(FOLDER, version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const texts = [...histories].map(([name, history]) => [name, asText(history)] as const);
  for (const [name, text] of texts) writeFileSync(join(folder, `${name}.json`), text);
  const manifest = Object.fromEntries(texts.map(([name, text]) => [name, sha256(text)]));
  writeFileSync(join(folder, MANIFEST), asText(manifest));
}

/** The version in package.json. */
export function packageVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function asText(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}
