import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../../', import.meta.url);
const MAIN = fileURLToPath(new URL('dist/processes/read-models/testing/runner-main.js', ROOT));

/** The built projections in a process of their own, to be killed. */
export class RunnerProcess {
  static readonly #running = new Set<RunnerProcess>();

  private constructor(private readonly child: ChildProcess) {}

  /** Resolves once it runs. `place` is a file, or a database's URL with the lifetime of a lease in milliseconds. */
  static async start(logFile: string, ...place: readonly string[]): Promise<RunnerProcess> {
    if (!existsSync(MAIN))
      throw new Error(`Runner processes run the built code, and ${MAIN} is missing: build first.`);
    const child = spawn(process.execPath, [MAIN, logFile, ...place], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.stdout) await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('The runner process ended before it ran.');
    const started = new RunnerProcess(child);
    RunnerProcess.#running.add(started);
    return started;
  }

  /** Processes that a failed test left running. */
  static async killAll(): Promise<void> {
    for (const one of RunnerProcess.#running) await one.kill();
  }

  /** SIGSTOP: it keeps its leases and locks, and no timer of it fires. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  /** SIGKILL: no handler runs, no lease is given back. */
  async kill(): Promise<void> {
    RunnerProcess.#running.delete(this);
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }
}
