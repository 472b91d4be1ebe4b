import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = resolve(import.meta.dirname, '../../dist/test/support/eventstoredb-stand-in/main.js');

/** The built stand-in in a process of its own. */
export class StandInProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly connectionString: string,
  ) {}

  /** @param largestFile of its files, in KiB: stands in for a disk of that size */
  static async start(
    folder: string,
    largestFile: number | 'unlimited' = 'unlimited',
  ): Promise<StandInProcess> {
    if (!existsSync(MAIN)) throw new Error('dist/ is missing. Run `npm run build` first.');
    const limited = `ulimit -f ${largestFile}; exec "$0" "$@"`;
    const command = [process.execPath, MAIN, '--port', '0', '--data', folder];
    const child = spawn('bash', ['-c', limited, ...command], { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface(child.stdout)) {
      const [, url] = /EVENTSTOREDB_URL=(\S+)$/.exec(line) ?? [];
      if (url !== undefined) return new StandInProcess(child, url);
    }
    throw new Error('The stand-in ended before it listened.');
  }

  get port(): number {
    return Number(new URL(this.connectionString).port);
  }

  /** Freezes it, or continues it. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(name);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }
}
