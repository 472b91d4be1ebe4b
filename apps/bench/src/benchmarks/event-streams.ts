import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Benchmark, Observation } from '../comparison.js';
import { decisionMachine } from '../fixtures/decision-machine.js';
import { median } from '../median.js';
import { processorTimeOf, residentMemoryOf } from '../servers/proc.js';
import { ServerProcess } from '../servers/server-process.js';

const SESSIONS = 10;
/** Streams of a session: a server has at most 50 of one, and 500 of all. */
const [FEW, SOME, MANY] = [5, 25, 50];
const TIMES = 60;

/** The cost of one more reader of an event, where few and where many read it, and of a stream in memory. */
export const eventStreams: Benchmark = {
  name: 'event-streams',
  onlyByName: true,
  async open(folder) {
    const servers: Readers[] = [];
    for (const ofEach of [FEW, SOME, MANY])
      servers.push(await Readers.open(join(folder, String(ofEach)), ofEach));
    return {
      comparisons: [],
      observe: () => observe(servers),
      close: async () => {
        for (const server of servers) await server.close();
      },
    };
  },
};

async function observe(servers: readonly Readers[]): Promise<readonly Observation[]> {
  const spent = servers.map((): number[] => []);
  // The first turn does not count.
  for (let turn = 0; turn <= TIMES; turn++)
    for (const [at, server] of servers.entries()) spent[at]?.push(await server.toAll());
  const [few = 0, some = 0, many = 0] = spent.map((each) => median(each.slice(1)) / SESSIONS);
  const [among, beyond] = [(some - few) / (SOME - FEW), (many - some) / (MANY - SOME)];
  const unit = 'ms';
  const added = servers.at(-1)?.added ?? 0;
  const streams = SESSIONS * MANY;
  return [
    {
      name: 'event-streams-few',
      value: among,
      unit,
      observed: `processor time of the server that one more reader of an event takes, from ${FEW} to ${SOME} readers`,
    },
    { name: 'event-streams-many', value: beyond, unit, observed: `the same from ${SOME} to ${MANY}` },
    {
      name: 'event-streams',
      value: beyond / among,
      atMost: 1.5,
      unit: 'times',
      observed: 'the one to the other',
    },
    {
      name: 'event-streams-memory',
      value: added / streams / 1000,
      unit: 'kB',
      observed: `resident memory of the server that one of ${streams} streams adds`,
    },
  ];
}

/** A server, and readers of the events of its sessions over HTTP. */
class Readers {
  readonly #responses: IncomingMessage[] = [];
  #waiting = 0;
  #reached: () => void = () => undefined;
  /** Resident bytes that the streams have added to the server. */
  added = 0;

  private constructor(
    private readonly server: ServerProcess,
    private readonly sessionIds: readonly string[],
  ) {}

  static async open(dataDir: string, ofEach: number): Promise<Readers> {
    await mkdir(dataDir);
    const server = await ServerProcess.start(
      './redial-server.js',
      JSON.stringify({ REDIAL_DATA_DIR: dataDir }),
    );
    await post(`${server.url}/v1/machines`, decisionMachine);
    const sessionIds: string[] = [];
    while (sessionIds.length < SESSIONS) {
      const { sessionId } = await post(`${server.url}/v1/sessions`, {
        machineName: decisionMachine.machineName,
      });
      sessionIds.push(String(sessionId));
    }
    const readers = new Readers(server, sessionIds);
    const before = residentMemoryOf(server.pid);
    for (const sessionId of sessionIds) for (let n = 0; n < ofEach; n++) await readers.#read(sessionId);
    readers.added = residentMemoryOf(server.pid) - before;
    return readers;
  }

  /** @returns the processor time of the server until all readers have an event, in milliseconds */
  async toAll(): Promise<number> {
    this.#waiting = this.#responses.length;
    const reached = new Promise<void>((resolve) => (this.#reached = resolve));
    const before = processorTimeOf(this.server.pid);
    for (const sessionId of this.sessionIds)
      await post(`${this.server.url}/v1/sessions/${sessionId}/transitions`, {
        transitionName: 'again',
        toState: 'open',
      });
    await reached;
    return processorTimeOf(this.server.pid) - before;
  }

  async close(): Promise<void> {
    for (const response of this.#responses) response.destroy();
    await this.server.stop();
  }

  async #read(sessionId: string): Promise<void> {
    const url = `${this.server.url}/v1/sessions/${sessionId}/events/stream`;
    const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}.`);
    response.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('event: TransitionExecuted') && --this.#waiting === 0) this.#reached();
    });
    response.on('error', () => undefined);
    this.#responses.push(response);
  }
}

async function post(url: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}
