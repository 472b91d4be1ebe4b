import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Place } from './places/place.js';
import { variablesOf } from './places/variables-of.js';

const MAIN = join(import.meta.dirname, '../../dist/bin/server.js');

/** An answer of the server. */
export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** The built server in a process of its own, to be killed. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Resolves once it says that it listens. @param environment without what is `undefined` @param main of another build */
  static async start(
    environment: Readonly<Record<string, string | undefined>>,
    main = MAIN,
  ): Promise<ServerProcess> {
    if (!existsSync(main)) throw new Error('dist/ is missing. Run `npm run build` first.');
    const env = { PATH: process.env['PATH'] ?? '', PORT: '0', LOG_LEVEL: 'error', ...environment };
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface(child.stdout)) {
      const [, url] = /^Redial listening on (http:\S+)$/.exec(line) ?? [];
      if (url !== undefined) return new ServerProcess(child, url);
    }
    throw new Error(`The server ended before it listened (exit code ${child.exitCode}).`);
  }

  /** With its log and rows in this place, and this model. */
  static at(
    place: Place,
    llm: { readonly baseUrl: string },
    environment: object = {},
  ): Promise<ServerProcess> {
    const model = { OPENAI_API_KEY: 'sk-canary-0123456789', OPENAI_BASE_URL: llm.baseUrl };
    return ServerProcess.start({ ...variablesOf(place), ...model, ...environment });
  }

  /** On a connection of its own: one that was idle may have been closed meanwhile. @param path below `/v1/` */
  async post(path: string, body: object | string = {}, headers: object = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = { 'Content-Type': 'application/json', Connection: 'close', ...headers };
    const response = await fetch(`${this.url}/v1/${path}`, { method: 'POST', headers: sent, body: text });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** SIGKILL: no handler runs, nothing is flushed. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }

  /** SIGTERM. @returns the exit code */
  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }
}
