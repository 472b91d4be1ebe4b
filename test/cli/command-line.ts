import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '#lib/kernel/testing';
import { ScriptedLlmServer, type ScriptedReply, setEnvironment } from '#lib/activities/testing';
import type { Redial } from '#lib/engine';
import { withEngine } from '../../apps/cli/src/engine/with-engine.js';
import type { Sink } from '../../apps/cli/src/io.js';
import { runCli } from '../../apps/cli/src/run-cli.js';

/** Keeps what is written to it. */
export class TextSink implements Sink {
  text = '';
  readonly #written = deferred();

  write(text: string): void {
    this.text += text;
    this.#written.resolve();
  }

  /** Once something is written. */
  get written(): Promise<void> {
    return this.#written.promise;
  }

  get lines(): readonly string[] {
    return this.text.split('\n').slice(0, -1);
  }
}

export interface Ended {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
  readonly lines: readonly string[];
}

type Machine = Parameters<Redial['defineMachine']>[0];

/** A command line in this process, with a folder of its own and a scripted model. */
export class CommandLine {
  /** Ends what runs until it is stopped. */
  readonly stopped = deferred();

  /** The lines that somebody types. */
  typed: AsyncIterable<string> = (async function* () {})();

  private constructor(
    readonly folder: string,
    readonly llm: ScriptedLlmServer,
    private readonly restore: () => void,
  ) {}

  static async open(): Promise<CommandLine> {
    const folder = temporaryFolder();
    const llm = await ScriptedLlmServer.start();
    const restore = setEnvironment({
      OPENAI_API_KEY: 'sk-canary-123456',
      OPENAI_BASE_URL: llm.baseUrl,
      // Scripts count calls: a story that is about retries says so.
      REDIAL_LLM_MAX_ATTEMPTS: '1',
      REDIAL_DATA_DIR: undefined,
      REDIAL_API_TOKEN: undefined,
      REDIAL_STREAM_PREFIX: undefined,
      REDIAL_MCP_PROFILE: undefined,
    });
    return new CommandLine(folder, llm, restore);
  }

  get dataDir(): string {
    return join(this.folder, 'data');
  }

  /** With `--data-dir` at the end. */
  async run(...argv: readonly string[]): Promise<Ended> {
    return this.runBare(...argv, '--data-dir', this.dataDir);
  }

  async runBare(...argv: readonly string[]): Promise<Ended> {
    return this.runInto(new TextSink(), ...argv);
  }

  /** With standard output where the caller can watch it. */
  async runInto(out: TextSink, ...argv: readonly string[]): Promise<Ended> {
    const err = new TextSink();
    const io = { out, err, typed: this.typed, untilStopped: () => this.stopped.promise };
    const exitCode = await runCli(argv, io);
    return { exitCode, out: out.text, err: err.text, lines: out.lines };
  }

  /** Prepares the folder, in one engine, before the commands that a test is about. */
  prepare<T>(work: (redial: Redial) => Promise<T>): Promise<T> {
    return withEngine({ dataDir: this.dataDir }, new TextSink(), ({ redial }) => work(redial));
  }

  /** A session of each machine that nobody has driven. @returns their ids */
  begun(...machines: readonly Machine[]): Promise<readonly string[]> {
    return this.#each(machines, (redial, machineName) => redial.createSession({ machineName }));
  }

  /** A session of each machine that is at rest or waits for a person. @returns their ids */
  sessions(...machines: readonly Machine[]): Promise<readonly string[]> {
    return this.#each(machines, (redial, machineName) => redial.runSession({ machineName }));
  }

  #each(
    machines: readonly Machine[],
    start: (redial: Redial, machineName: string) => Promise<{ readonly sessionId: string }>,
  ): Promise<readonly string[]> {
    return this.prepare(async (redial) => {
      const ids: string[] = [];
      for (const machine of machines) {
        await redial.defineMachine(machine);
        ids.push((await start(redial, machine.machineName)).sessionId);
      }
      return ids;
    });
  }

  /** Runs a machine and gives the id of its session. */
  async session(machine: object, ...replies: readonly ScriptedReply[]): Promise<string> {
    this.llm.enqueue(...replies);
    const { lines } = await this.run('run', await this.file('machine.json', machine), '--json');
    const { session } = JSON.parse(lines.at(-1) ?? '') as { session: { sessionId: string } };
    return session.sessionId;
  }

  /** Objects are written as JSON. */
  async file(name: string, content: object | string): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  async close(): Promise<void> {
    this.restore();
    await rm(this.folder, { recursive: true, force: true });
    await this.llm.close();
  }
}

function deferred(): { readonly promise: Promise<void>; resolve(this: void): void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve: () => resolve() };
}
