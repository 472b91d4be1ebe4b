import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An attribute as OTLP says it in JSON. */
interface KeyValue {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: number | string;
    readonly doubleValue?: number;
    readonly boolValue?: boolean;
    readonly arrayValue?: { readonly values: readonly KeyValue['value'][] };
  };
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly status: { readonly code: number; readonly message?: string };
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** A collector on loopback that takes traces over OTLP/HTTP. */
export class OtlpReceiver {
  readonly requests: { readonly type: string | undefined; readonly body: Buffer }[] = [];
  /** The status of the next answers. What is answered with another one than 200 is not taken. */
  status = 200;
  private refusals = 0;
  private readonly waiting = new Set<() => void>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpReceiver> {
    const server = createServer();
    const receiver = new OtlpReceiver(server);
    server.on('request', (request, response) => void receiver.take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Once that many spans have come as JSON. */
  async spans(count: number): Promise<readonly OtlpSpan[]> {
    for (;;) {
      const spans = this.#exported().flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
      if (spans.length >= count) return spans;
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  /** Once that many requests were not taken. */
  async refused(count: number): Promise<void> {
    while (this.refusals < count) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  resource(): Record<string, unknown> {
    return plainAttributes(this.#exported()[0]?.resource.attributes ?? []);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const isTraces = request.method === 'POST' && request.url === '/v1/traces';
    if (isTraces && this.status === 200)
      this.requests.push({ type: request.headers['content-type'], body: Buffer.concat(chunks) });
    else this.refusals += 1;
    response.writeHead(isTraces ? this.status : 404).end();
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }

  #exported(): Exported['resourceSpans'] {
    return this.requests.flatMap(({ body }) => (JSON.parse(body.toString('utf8')) as Exported).resourceSpans);
  }
}

export function plainAttributes(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

function plain(value: KeyValue['value']): unknown {
  if (value.arrayValue) return value.arrayValue.values.map(plain);
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.stringValue ?? value.doubleValue ?? value.boolValue;
}
