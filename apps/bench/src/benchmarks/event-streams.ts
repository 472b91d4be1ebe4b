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
const [FEW, MANY] = [5, 50];
const TIMES = 15;

/** The cost of an event that many readers get at once, and of their streams in memory. */
export const eventStreams: Benchmark = {
  name: 'event-streams',
  onlyByName: true,
  async open(folder) {
    const [few, many] = [
      await Readers.open(join(folder, 'few'), FEW),
      await Readers.open(join(folder, 'many'), MANY),
    ];
    return {
      comparisons: [],
      observe: () => observe(few, many),
      close: async () => {
        await few.close();
        await many.close();
      },
    };
  },
};

async function observe(few: Readers, many: Readers): Promise<readonly Observation[]> {
  const [ofFew, ofMany]: [number[], number[]] = [[], []];
  // The first turn does not count.
  for (let turn = 0; turn <= TIMES; turn++) {
    ofFew.push(await few.toAll());
    ofMany.push(await many.toAll());
  }
  const [short, long] = [median(ofFew.slice(1)), median(ofMany.slice(1))];
  const streams = SESSIONS * MANY;
  const unit = 'ms';
  return [
    {
      name: 'event-streams-few',
      value: short,
      unit,
      observed: `processor time of the server for an event of each of ${SESSIONS} sessions, each to ${FEW} readers, a reader`,
    },
    { name: 'event-streams-many', value: long, unit, observed: `the same, each to ${MANY} readers` },
    {
      name: 'event-streams',
      value: long / short,
      atMost: 1.5,
      unit: 'times',
      observed: 'the one to the other',
    },
    {
      name: 'event-streams-reader',
      value: (long * MANY - short * FEW) / (MANY - FEW),
      unit,
      observed: 'processor time that one more reader of it takes',
    },
    {
      name: 'event-streams-memory',
      value: (many.memory() - many.before) / streams / 1000,
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

  private constructor(
    private readonly server: ServerProcess,
    private readonly sessionIds: readonly string[],
    /** Resident bytes without readers. */
    readonly before: number,
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
    const readers = new Readers(server, sessionIds, residentMemoryOf(server.pid));
    for (const sessionId of sessionIds) for (let n = 0; n < ofEach; n++) await readers.#read(sessionId);
    return readers;
  }

  /** @returns the processor time of the server, a reader, until all have got an event, in milliseconds */
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
    return (processorTimeOf(this.server.pid) - before) / this.#responses.length;
  }

  memory(): number {
    return residentMemoryOf(this.server.pid);
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
