import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redactor } from '../redaction/redactor.js';
import { ScriptedWebhookServer } from '../testing/scripted-webhook-server.js';
import { WebhookCaller } from '../webhooks/webhook-caller.js';

const { lookup } = dns;
const PUBLIC = '93.184.216.34';

describe('the name of a host that must be public', () => {
  let server: ScriptedWebhookServer;
  let lookups: number;

  /** Sets the addresses of the name. */
  function leadsTo(...addresses: readonly string[]): void {
    const answered = (_name: string, _options: object, callback: (error: null, all: object) => void) => {
      lookups += 1;
      callback(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    };
    Object.assign(dns, { lookup: answered });
    syncBuiltinESMExports();
  }

  beforeEach(async () => {
    lookups = 0;
    server = await ScriptedWebhookServer.start();
  });
  afterEach(async () => {
    Object.assign(dns, { lookup });
    syncBuiltinESMExports();
    await server.close();
  });

  it.each([
    ['has another address than before', ['127.0.0.1']],
    ['has a private address beside a public one', [PUBLIC, '127.0.0.1']],
  ])('is refused at the connection if it %s: nothing is sent', async (_, addresses) => {
    leadsTo(PUBLIC);
    const caller = new WebhookCaller({ privateAddresses: 'refuse' }, new Redactor([]));
    leadsTo(...addresses);
    const url = `http://rebound.example:${server.port}/hook`;
    const sent = await caller.notify({ url, headers: {}, body: '{}', timeoutMs: 5_000 });
    expect(sent).toEqual({ failure: expect.stringMatching(/"rebound\.example" is not public/) });
    // One lookup. Its answer is the address that would be connected to.
    expect([lookups, server.requests.length]).toEqual([1, 0]);
  });
});
