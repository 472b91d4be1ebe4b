import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import type { ServerProcess } from '../support/server-process.js';
import { type HttpAnswer, HttpCaller, type Sent } from './http-caller.js';

interface Command {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** All declared commands, by id. */
export const commands: ReadonlyMap<string, Command> = new Map(
  (
    JSON.parse(readFileSync('operations.json', 'utf8')) as {
      operations: readonly (Command & { kind: string })[];
    }
  ).operations
    .filter(({ kind }) => kind === 'command')
    .map((command) => [command.id, command]),
);

/** A keyed call and its first answer. */
interface Answered {
  readonly id: string;
  readonly sent: Sent;
  readonly answer: HttpAnswer;
}

/** The path parameters, body and token of a call. */
interface Input {
  /** Of the path. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly body?: object;
  readonly actorToken?: string;
}

/** A store that a process left a moment ago, or a process that just started, may answer so. */
const AGAIN = [408, 425, 429, 503];

/** For one call, with a restart of each process: ten times what a busy machine needs. */
const LONGEST_MS = 120_000;

interface Parts {
  alive(): readonly ServerProcess[];
  /** Of the server. */
  readonly token: string;
  /** From 0 to 1. */
  random(): number;
  onAnswer(): void;
}

/** Keyed calls to processes that are killed: each is repeated until it is answered, and some after that, at any of them. */
export class KeyedCalls {
  readonly answered: Answered[] = [];
  repeats = 0;
  #keys = 0;

  constructor(private readonly parts: Parts) {}

  /** The first answer of a command under a key of its own. @throws Error if it is one of 500 or above */
  async call(id: string, input: Input = {}): Promise<HttpAnswer> {
    const sent = this.#sent(id, input);
    const answer = await this.#untilAnswered(sent);
    this.parts.onAnswer();
    if (answer.status >= 500) throw new Error(`${id}: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (answer.status >= 300) return answer;
    const call = { id, sent, answer };
    this.answered.push(call);
    if (this.parts.random() < 0.3) await this.repeat(call);
    if (this.parts.random() < 0.3) await this.repeat(this.#any());
    return answer;
  }

  /** The answer of a query. */
  async read(path: string): Promise<HttpAnswer> {
    return this.#untilAnswered({ method: 'GET', path, key: `key-${this.#keys++}` });
  }

  /** The same call gets the same answer, wherever it arrives and whatever has happened since. */
  async repeat({ id, sent, answer }: Answered): Promise<void> {
    const again = await this.#untilAnswered(sent);
    this.repeats += 1;
    expect([id, again.status, again.body]).toEqual([id, answer.status, answer.body]);
  }

  #sent(id: string, { params = {}, body, actorToken }: Input): Sent {
    const { method, path } = commands.get(id) as Command;
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]));
    const key = `key-${this.#keys++}`;
    return {
      method,
      path: filled,
      key,
      ...(body && { body }),
      ...(actorToken !== undefined && { actorToken }),
    };
  }

  #any(): Answered {
    return this.answered[Math.floor(this.parts.random() * this.answered.length)] as Answered;
  }

  async #untilAnswered(sent: Sent): Promise<HttpAnswer> {
    const until = performance.now() + LONGEST_MS;
    let last = 'no process is alive';
    while (performance.now() < until) {
      const alive = this.parts.alive();
      const process = alive[Math.floor(this.parts.random() * alive.length)];
      const answer = process && (await this.#try(process, sent));
      if (typeof answer === 'object') return answer;
      last = answer ?? last;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error(`${sent.method} ${sent.path}: not answered within ${LONGEST_MS} ms: ${last}`);
  }

  /** @returns the answer, or why the call is to be sent again */
  async #try({ url }: ServerProcess, sent: Sent): Promise<HttpAnswer | string> {
    try {
      const answer = await new HttpCaller(url, this.parts.token).send(sent);
      const isSettled = answer.body['code'] !== 'conflict-not-settled' && !AGAIN.includes(answer.status);
      return isSettled ? answer : `${answer.status} ${JSON.stringify(answer.body)}`;
    } catch (error) {
      // The connection broke: the process was killed. By name, because jest's errors are not those of fetch.
      if (!['TypeError', 'SyntaxError'].includes((error as Error).name)) throw error;
      return String(error);
    }
  }
}
