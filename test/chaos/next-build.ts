import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '#lib/kernel/testing';

const ROOT = join(import.meta.dirname, '../..');
const EVENTS = 'dist/libs/decisions/session/session.members.js';
const NOW = /SessionCreated: \{\s*version: 3,(.*?)upcasters: \{.*?\},(.*?)versionOf: .*?,\s*\},/s;
const NEXT =
  'SessionCreated: { version: 4, members: { ...created, forkedFrom: forkedFromMembers }, earlier: { 1: created, 2: created, 3: { ...created, forkedFrom: forkedFromMembers } }, upcasters: { 1: (data) => data, 2: (data) => data, 3: (data) => data } },';

/** This build with one change: `SessionCreated` has a fourth schema version, which the build of today cannot read. */
export class NextBuild {
  private constructor(private readonly folder: string) {}

  static async make(): Promise<NextBuild> {
    const folder = temporaryFolder();
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
    await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const events = await readFile(join(folder, EVENTS), 'utf8');
    if (!NOW.test(events)) throw new Error(`${EVENTS} does not declare ${NOW.source}.`);
    await writeFile(join(folder, EVENTS), events.replace(NOW, NEXT));
    return new NextBuild(folder);
  }

  /** Of the server. */
  get main(): string {
    return join(this.folder, 'dist/apps/server/src/main.js');
  }
}
