import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const STAND_IN = fileURLToPath(
  new URL('../../../../test/support/eventstoredb-stand-in/main.js', import.meta.url),
);

/** An EventStoreDB: the one that `EVENTSTOREDB_URL` names, else the stand-in in a process of its own, in memory. */
export class EventStoreDbServer {
  private constructor(
    readonly connectionString: string,
    /** For the report. */
    readonly name: string,
    private readonly child: ChildProcess | undefined,
  ) {}

  static async start(): Promise<EventStoreDbServer> {
    const given = process.env['EVENTSTOREDB_URL'];
    if (given) return new EventStoreDbServer(given, 'the server of EVENTSTOREDB_URL', undefined);
    const child = spawn(process.execPath, [STAND_IN, '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    process.once('exit', () => child.kill());
    for await (const line of createInterface(child.stdout)) {
      const [, url] = /EVENTSTOREDB_URL=(\S+)$/.exec(line) ?? [];
      if (url !== undefined)
        return new EventStoreDbServer(url, 'the stand-in in a process of its own', child);
    }
    throw new Error('The stand-in for EventStoreDB ended before it listened.');
  }

  async stop(): Promise<void> {
    if (!this.child) return;
    const gone = once(this.child, 'exit');
    this.child.kill();
    await gone;
  }
}
