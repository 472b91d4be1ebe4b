import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '#lib/kernel';
import type { History } from './history.js';
import type { HelperHistory } from './helper-scenarios.js';
import type { RunsHistory } from './run-histories.js';

const MANIFEST = 'manifest.json';

/** The SHA-256 of each history file of a version, by its name. */
export type Manifest = { readonly [name: string]: string };

/** Recorded histories of one kind: a folder for each version that recorded them. */
export class GoldenHistories<Kind extends object> {
  constructor(private readonly folder: string) {}

  /** Those that were recorded by the scenarios of their time, oldest first. Other folders hold history files of a release. */
  versions(): readonly string[] {
    const folders = readdirSync(this.folder).filter((name) => existsSync(join(this.folder, name, MANIFEST)));
    return folders.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  }

  names(version: string): readonly string[] {
    const files = readdirSync(join(this.folder, version)).filter(
      (file) => file.endsWith('.json') && file !== MANIFEST,
    );
    return files.map((file) => file.replace(/\.json$/, '')).toSorted();
  }

  text(version: string, name: string): string {
    return readFileSync(join(this.folder, version, `${name}.json`), 'utf8');
  }

  manifest(version: string): Manifest {
    return JSON.parse(readFileSync(join(this.folder, version, MANIFEST), 'utf8')) as Manifest;
  }

  /** Every history of every version: `<version>/<name>`. */
  all(): readonly { readonly name: string; readonly history: Kind }[] {
    return this.versions().flatMap((version) =>
      this.names(version).map((name) => ({
        name: `${version}/${name}`,
        history: JSON.parse(this.text(version, name)) as Kind,
      })),
    );
  }

  /** Replaces all histories of a version, and their manifest. */
  write(version: string, histories: ReadonlyMap<string, Kind>): void {
    const folder = join(this.folder, version);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const texts = [...histories].map(([name, history]) => [name, asText(history)] as const);
    for (const [name, text] of texts) writeFileSync(join(folder, `${name}.json`), text);
    const manifest = Object.fromEntries(texts.map(([name, text]) => [name, sha256(text)]));
    writeFileSync(join(folder, MANIFEST), asText(manifest));
  }
}

/** Of sessions with their solicitations, arbitrations and evaluations. */
export const sessionHistories = new GoldenHistories<History>(join(import.meta.dirname, 'histories'));

/** Of conversations with their turns, and of runs of the planner and of code. */
export const runHistories = new GoldenHistories<RunsHistory>(join(import.meta.dirname, 'run-histories'));

/** Of scripts, each with one helper: a folder for each number of the helpers. */
export const helperHistories = new GoldenHistories<HelperHistory>(
  join(import.meta.dirname, 'helper-histories'),
);

/** The version that histories are recorded as: the one that CHANGELOG.md calls unreleased. Those of a release are never replaced. */
export function recordedVersion(): string {
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  const [, version] = /^## (\S+) \(unreleased\)$/m.exec(changelog) ?? [];
  if (version !== undefined) return version;
  throw new Error('CHANGELOG.md has no unreleased version: open one before histories are recorded.');
}

function asText(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}
