import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { type Reading, Readers } from '#lib/event-store';
import { sendLines } from './send-lines.js';
import { gate } from '#lib/kernel/testing';

/** Serves these lines, and gives the answer of one request. */
async function answered(
  lines: () => AsyncGenerator<string>,
  take: (answer: IncomingMessage) => Promise<void>,
  {
    reading = new Readers(1_000_000).open(),
    closed,
  }: { readonly reading?: Reading; readonly closed?: () => void } = {},
) {
  const failed: unknown[] = [];
  const application = express().get('/', (_, response) => {
    response.once('close', () => {
      reading.close();
      closed?.();
    });
    const sent = reading.run(() => sendLines(lines(), 'application/x-ndjson', response));
    sent.catch((error: unknown) => {
      failed.push(error);
      response.status(500).end();
    });
  });
  const server = createServer(application).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const request = get({ port, host: '127.0.0.1' });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    await take(answer);
    return { status: answer.statusCode, failed };
  } finally {
    server.close();
  }
}

describe('lines of an answer', () => {
  it('are made as the reader takes them', async () => {
    const line = `${'x'.repeat(100_000)}\n`;
    let made = 0;
    let received = 0;
    const endless = async function* () {
      for (; made < 2_000; made++) yield await Promise.resolve(line);
    };
    await answered(endless, async (answer) => {
      for await (const chunk of answer) {
        received += (chunk as Buffer).length;
        // The sockets hold a few megabytes between the two.
        expect(made * line.length - received).toBeLessThan(64_000_000);
        if (received > 20_000_000) break;
      }
    });
    expect(made).toBeLessThan(2_000);
  });

  it('have their type also if there are none', async () => {
    const none = async function* (): AsyncGenerator<string> {};
    const { status } = await answered(none, async (answer) => {
      expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
      expect(await answer.toArray()).toEqual([]);
    });
    expect(status).toBe(200);
  });

  it('that fail before the first are an error of the call', async () => {
    const failing = async function* (): AsyncGenerator<string> {
      await Promise.reject(new Error('the log is away'));
      yield '';
    };
    const { status, failed } = await answered(failing, async (answer) => void answer.resume());
    expect([status, failed]).toEqual([500, [new Error('the log is away')]]);
  });

  it('that fail later cut the connection: a part is not taken for the whole', async () => {
    const failing = async function* () {
      yield 'one\n';
      await Promise.reject(new Error('the log is away'));
    };
    const reading = answered(failing, async (answer) => {
      for await (const _ of answer);
    });
    await expect(reading).rejects.toThrow(/aborted|socket hang up/);
  });

  it('are no longer made once the connection is closed, and their source is closed', async () => {
    const [closed, source] = [gate(), gate<number>()];
    const endless = async function* () {
      let made = 0;
      try {
        for (; made < 1_000; made++) {
          yield 'one\n';
          await closed.opened;
        }
      } finally {
        source.open(made);
      }
    };
    await answered(endless, async (answer) => void answer.destroy(), { closed: closed.open });
    expect(await source.opened).toBe(1);
  });

  it('that nobody takes cost the connection while others wait for the bytes', async () => {
    const source = gate();
    const endless = async function* () {
      try {
        for (;;) yield await Promise.resolve(`${'x'.repeat(100_000)}\n`);
      } finally {
        source.open();
      }
    };
    const readers = new Readers(1_000_000, { stalledMs: 1 });
    const stalled = async (answer: IncomingMessage) => {
      answer.once('error', () => undefined);
      await readers.open().needs(900_000);
      await source.opened;
      answer.resume();
    };
    await answered(endless, stalled, { reading: readers.open() });
    expect(readers.held).toBe(900_000);
  });
});
