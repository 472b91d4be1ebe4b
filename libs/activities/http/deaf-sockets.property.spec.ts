import { Agent } from 'node:http';
import { Duplex } from 'node:stream';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { httpExchange } from './http-exchange.js';

const LIMIT_MS = 40;
/** An exchange that has not ended after this time hangs. */
const HANGS_MS = 10_000;

/** Gives these bytes and nothing more. It takes all that is written, has no timeout, and does not close when it is destroyed. */
class DeafSocket extends Duplex {
  constructor(parts: readonly string[]) {
    super();
    setImmediate(() => parts.forEach((part) => this.push(part)));
  }

  override _read(): void {}

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }

  override _destroy(): void {}

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

class DeafConnections extends Agent {
  constructor(private readonly parts: readonly string[]) {
    super();
  }

  override createConnection(): Duplex {
    return new DeafSocket(this.parts);
  }
}

const anyParts = fc.array(
  fc.constantFrom(
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
    'HTTP/1.1 200',
    '5\r\nhello\r\n',
    'he',
  ),
  { maxLength: 4 },
);

/** The way the exchange must end: by its limits of silence, or by its signal. */
const anyTimer = fc.constantFrom(
  () => ({ firstByteTimeoutMs: LIMIT_MS, idleTimeoutMs: LIMIT_MS, signal: new AbortController().signal }),
  () => ({ signal: AbortSignal.timeout(LIMIT_MS) }),
);

it('0.2-S2: an exchange ends by a timer of its own, over a socket that neither speaks nor closes', async () => {
  await fc.assert(
    fc.asyncProperty(anyParts, anyTimer, async (parts, timer) => {
      const connections = new DeafConnections(parts);
      const asked = { url: new URL('http://model.example/v1'), headers: {}, body: '{}', connections };
      const ended = httpExchange({ ...asked, ...timer() }).then(
        () => 'ended',
        () => 'ended',
      );
      let hanging: NodeJS.Timeout | undefined;
      const hangs = new Promise((resolve) => (hanging = setTimeout(resolve, HANGS_MS, 'hangs')));
      expect(await Promise.race([ended, hangs])).toBe('ended');
      clearTimeout(hanging);
    }),
    { numRuns: 50 },
  );
}, 120_000);
