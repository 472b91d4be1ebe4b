import { randomUUID } from 'node:crypto';

export interface HttpAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly position: string;
}

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

  /** Repeats the call under its key where the connection broke, or the server says that it is busy (503). */
  async postUntilTaken(path: string, body: object, key: string): Promise<HttpAnswer> {
    for (;;) {
      const answer = await this.post(path, body, key).catch((error: unknown) => {
        // By name, because jest's TypeError is not the one of fetch.
        if ((error as Error).name !== 'TypeError') throw error;
        process.stderr.write(`REPEAT ${String((error as Error).cause)}\n`);
      });
      if (answer && answer.status !== 503) return answer;
      if (answer) process.stderr.write(`REPEAT ${JSON.stringify(answer.body)}\n`);
    }
  }

  async #call(path: string, request: RequestInit): Promise<HttpAnswer> {
    const response = await fetch(this.url + path, request);
    const body = (await response.json()) as HttpAnswer['body'];
    return { status: response.status, body, position: response.headers.get('redial-position') ?? '' };
  }
}
