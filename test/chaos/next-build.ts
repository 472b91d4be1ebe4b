import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const EVENTS = 'dist/libs/decisions/session/session.events.js';
const NOW = 'SessionCreated: { version: 1 }';
const NEXT = `SessionCreated: { version: 2, upcasters: { 1: (data) => data } }`;

/** This build with one change: `SessionCreated` has a second schema version, which the build of today cannot read. */
export class NextBuild {
  private constructor(private readonly folder: string) {}

  static async make(): Promise<NextBuild> {
    const folder = await mkdtemp(join(tmpdir(), 'redial-next-'));
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
    await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const events = await readFile(join(folder, EVENTS), 'utf8');
    if (!events.includes(NOW)) throw new Error(`${EVENTS} does not declare ${NOW}.`);
    await writeFile(join(folder, EVENTS), events.replace(NOW, NEXT));
    return new NextBuild(folder);
  }

  /** Of the server. */
  get main(): string {
    return join(this.folder, 'dist/apps/server/src/main.js');
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}
