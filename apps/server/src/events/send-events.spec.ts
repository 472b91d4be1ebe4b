import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#lib/kernel';
import { closed, MOST_UNREAD_BYTES, sendEvents } from './send-events.js';

const metadata = {
  schemaVersion: 1,
  occurredAt: '',
  correlationId: 's',
  causationId: 'c',
  commandId: 'c',
  actor: 'a',
};
const occurredAt = '2026-01-01T00:00:00.000Z';
const event: RecordedEvent = {
  eventId: 'e',
  type: 'Last',
  schemaVersion: 1,
  stream: 's',
  revision: 0,
  position: 'log.1',
  occurredAt,
  data: {},
  metadata,
};

/** Ends when the signal aborts. */
// oxlint-disable-next-line require-yield -- none comes
async function* noEvents(signal: AbortSignal): AsyncGenerator<RecordedEvent> {
  await once(signal, 'abort');
}

describe('server-sent events', () => {
  const server = createServer();
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('0.2-S9: end for a reader who may not read any more while a model writes, not only at the next event', async () => {
    const held = new AbortController();
    let asked = 0;
    let publish: (delta: object) => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      server.once('request', (_, opened: ServerResponse) => {
        void sendEvents(opened, noEvents(held.signal), held.signal, {
          listen: (listener) => {
            publish = listener;
            return resolve;
          },
          admit: async () => {
            asked += 1;
            held.abort();
          },
        });
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const [incoming] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
    incoming.resume();
    const writing = setInterval(() => publish({ text: 'a' }), 5);
    await left;
    clearInterval(writing);
    expect(asked).toBe(1);
  });

  it('leave deltas out while a reader leaves more than a bound unread, and leave no event out', async () => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    async function* events() {
      await ended;
      yield event;
    }
    let publish: (delta: object) => void = () => undefined;
    let response: ServerResponse | undefined;
    server.once('request', (_, opened: ServerResponse) => {
      response = opened;
      void sendEvents(opened, events(), closed(opened), {
        listen: (listener) => {
          publish = listener;
          return () => undefined;
        },
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const [incoming] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];

    const text = 'x'.repeat(10_000);
    const count = 5_000;
    for (let n = 0; n < count; n++) publish({ text });
    expect(response?.writableLength).toBeLessThan(MOST_UNREAD_BYTES + 2 * text.length);
    end();
    const read = Buffer.concat((await incoming.toArray()) as Buffer[]).toString();
    const shown = read.split('event: delta').length - 1;
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBeLessThan(count / 2);
    expect(read).toMatch(/id: log\.1\nevent: Last\n/);
  });
});
