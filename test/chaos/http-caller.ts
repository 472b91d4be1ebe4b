import { randomUUID } from 'node:crypto';

export interface HttpAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly position: string;
}

const MOST_REPEATS = 10;

/** Calls one server. */
export class HttpCaller {
  constructor(readonly url: string) {}

  get(path: string): Promise<HttpAnswer> {
    return this.#call(path, {});
  }

  post(path: string, body: object, key: string = randomUUID()): Promise<HttpAnswer> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    return this.#call(path, { method: 'POST', headers, body: JSON.stringify(body) });
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
    const body = (await response.json()) as HttpAnswer['body'];
    return { status: response.status, body, position: response.headers.get('redial-position') ?? '' };
  }
}
