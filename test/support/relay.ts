import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';

/**
 * A port of this process, in front of a server that is killed and started again. A server that came back to a port of its own
 * could find it taken: any process of the machine may get it meanwhile.
 */
export class Relay {
  /** The port of the server behind it. Where there is none, connections end. */
  target: number | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Relay> {
    const server = createServer();
    const relay = new Relay(server);
    server.on('connection', (from) => {
      const to = connect({ host: '127.0.0.1', port: relay.target ?? 0 });
      for (const [one, other] of [
        [from, to],
        [to, from],
      ] as const) {
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Takes no more connections. Those that there are end with the server or the client. */
  stop(): void {
    this.server.close();
  }
}
