import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** The bytes that a socket writes in place of a reply, and the end of the connection. */
export interface RawReply {
  /** Written one after the other, with a turn of the event loop between them. */
  readonly parts: readonly string[];
  /** `open`: no further bytes, and the connection stays open. */
  readonly end: 'open' | 'fin' | 'reset';
}

/** Answers requests on loopback with the bytes of a script, which need not be HTTP. */
export class RawReplyServer {
  readonly #server: Server = createServer();
  readonly #sockets = new Set<Socket>();

  private constructor(private readonly replyTo: (body: string) => RawReply) {}

  /** @param replyTo gets the body of each request */
  static async start(replyTo: (body: string) => RawReply): Promise<RawReplyServer> {
    const server = new RawReplyServer(replyTo);
    server.#server.on('connection', (socket: Socket) => server.#sockets.add(socket));
    server.#server.on('request', (incoming) => void server.#answer(incoming)).listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(incoming: IncomingMessage): Promise<void> {
    const { socket } = incoming;
    socket.on('error', () => undefined);
    let body = '';
    for await (const part of incoming as AsyncIterable<Buffer>) body += part.toString();
    await play(socket, this.replyTo(body));
  }
}

async function play(socket: Socket, { parts, end }: RawReply): Promise<void> {
  for (const part of parts) {
    if (!socket.writable) return;
    socket.write(part);
    await setImmediate();
  }
  if (end === 'fin') socket.end();
  if (end === 'reset') socket.resetAndDestroy();
}
