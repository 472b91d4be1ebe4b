import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A server in a process of its own, so that it shares no thread with its client. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** @param module one of those that call `serveParent` @param input the text for its start */
  static async start(
    module: './redial-server.js' | './bare-server.js' | './http-sides-server.js' | './model-server.js',
    input: string,
  ): Promise<ServerProcess> {
    const child = fork(new URL(module, import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.send(input);
    const gone = once(child, 'exit').then(() => Promise.reject(new Error(`${module} did not start.`)));
    const [url] = (await Promise.race([once(child, 'message'), gone])) as [string];
    gone.catch(() => undefined);
    return new ServerProcess(child, url);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async stop(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.disconnect();
    await gone;
  }
}
