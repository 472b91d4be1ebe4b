import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A built process of this folder, to be killed. */
export class Mortal {
  #child: ChildProcess | undefined;

  constructor(
    private readonly main: string,
    private readonly flags: readonly string[] = [],
  ) {}

  /** False also after it has died by itself. */
  get runs(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  /** @returns the first that it prints */
  async start(...parameters: readonly string[]): Promise<string> {
    const main = fileURLToPath(
      new URL(`../../../dist/processes/reactions/testing/${this.main}`, import.meta.url),
    );
    if (!existsSync(main)) throw new Error(`${main} is missing: build first.`);
    const child = spawn(process.execPath, [...this.flags, main, ...parameters], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const [printed] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error('It ended before it ran.');
    return String(printed).trim();
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    child?.kill('SIGKILL');
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}
