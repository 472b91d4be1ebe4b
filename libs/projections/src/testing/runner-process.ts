import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../../../', import.meta.url);
const RUNNER = fileURLToPath(new URL('test/support/projection-runner.mjs', ROOT));
const BUILT = fileURLToPath(new URL('dist/libs/projections/src/index.js', ROOT));

/** The built projections in a process of their own, to be killed. */
export class RunnerProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves once it runs. `place` is a file, or a database's URL with the life of a lease in milliseconds. */
  static async start(logFile: string, ...place: readonly string[]): Promise<RunnerProcess> {
    if (!existsSync(BUILT))
      throw new Error(`Runner processes run the built code, and ${BUILT} is missing: build first.`);
    const child = spawn(process.execPath, [RUNNER, logFile, ...place], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.stdout) await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error('The runner process ended before it ran.');
    return new RunnerProcess(child);
  }

  /** SIGKILL: no handler runs, nothing is given back. */
  async kill(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}
