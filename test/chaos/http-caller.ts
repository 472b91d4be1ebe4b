import { randomUUID } from 'node:crypto';

export interface HttpAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly position: string;
}

/** A call of a command. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly key: string;
  /** Beside the token of the server. */
  readonly actorToken?: string;
}

const MOST_REPEATS = 10;

/** Calls one server. */
export class HttpCaller {
  /** @param token of the server, if it has one */
  constructor(
    readonly url: string,
    private readonly token?: string,
  ) {}

  get(path: string): Promise<HttpAnswer> {
    return this.#call(path, {});
  }

  post(path: string, body: object, key: string = randomUUID()): Promise<HttpAnswer> {
    return this.send({ method: 'POST', path, body, key });
  }

  send({ method, path, body, key, actorToken }: Sent): Promise<HttpAnswer> {
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
      ...(actorToken !== undefined && { 'redial-actor-token': actorToken }),
    };
    return this.#call(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  /** Repeats the call under its key where the server says that nothing was written because others got in between. */
  async postUntilSettled(path: string, body: object): Promise<HttpAnswer> {
    const key = randomUUID();
    for (;;) {
      const answer = await this.post(path, body, key);
      if (answer.body['code'] !== 'conflict-not-settled') return answer;
    }
  }

  /**
   * Repeats the call under its key where the connection breaks, as it may where a busy server closes an idle one, and where the
   * server says that a store did not answer (503).
   */
  async postUntilAnswered(path: string, body: object, key: string): Promise<HttpAnswer> {
    for (let left = MOST_REPEATS; ; left -= 1) {
      try {
        const answer = await this.post(path, body, key);
        if (answer.status !== 503 || left === 0) return answer;
      } catch (error) {
        // By name, because jest's TypeError is not the one of fetch.
        if ((error as Error).name !== 'TypeError' || left === 0) throw error;
      }
    }
  }

  async #call(path: string, request: RequestInit): Promise<HttpAnswer> {
    const response = await fetch(this.url + path, request);
    const body = response.status === 204 ? {} : ((await response.json()) as HttpAnswer['body']);
    return { status: response.status, body, position: response.headers.get('redial-position') ?? '' };
  }
}
