import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '#lib/kernel/testing';

const PACKED = join(import.meta.dirname, 'redial-0.2.0.tgz');
const PACKAGES = join(import.meta.dirname, '../../node_modules');

/** Redial 0.2.0 as it was packed (`npm pack` at the tag `v0.2.0`), with the packages of this project: it needs the same versions. */
export class FormerRelease {
  private constructor(private readonly folder: string) {}

  static async unpacked(): Promise<FormerRelease> {
    const folder = temporaryFolder();
    await promisify(execFile)('tar', ['xzf', PACKED, '-C', folder]);
    await symlink(PACKAGES, join(folder, 'node_modules'));
    return new FormerRelease(join(folder, 'package'));
  }

  /** Of the server. */
  get main(): string {
    return join(this.folder, 'dist/bin/server.js');
  }
}
