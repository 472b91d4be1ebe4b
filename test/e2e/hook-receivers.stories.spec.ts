import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  noAnswer,
  reply,
  type ScriptedReply,
  type ScriptedRequest,
  ScriptedWebhookServer,
} from '#lib/activities/testing';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { ReactingEngine } from '../support/reacting.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describeOnEachEngine('the receiver of a hook', (emptyPlace) => {
  let engine: ReactingEngine;
  let receiver: ScriptedWebhookServer;
  let answer: ScriptedReply | ((request: ScriptedRequest) => ScriptedReply);

  beforeEach(async () => {
    receiver = await ScriptedWebhookServer.start((request) =>
      typeof answer === 'function' ? answer(request) : answer,
    );
    const tokens = { BOOKING_HOOK_TOKEN: `whsec_${randomBytes(24).toString('base64')}` };
    const webhooks = { privateAddresses: 'allow', tokens } as const;
    engine = await ReactingEngine.start({ ...(await emptyPlace(true)), webhooks });
  });
  afterEach(async () => {
    await engine.stop();
    await receiver.close();
  });

  const hook = (hookId = 'booking') => ({
    hookId,
    url: receiver.url,
    types: ['session.created'] as const,
    secretName: 'BOOKING_HOOK_TOKEN',
  });
  const delivery = async () => (await engine.redial.listHookDeliveries({ hookId: 'booking' })).items[0];

  it('that hangs has failed after 15 seconds, and meanwhile messages of other sessions come', async () => {
    let hanging = '';
    answer = ({ body }) => {
      const { sessionId } = (body as { readonly data: { readonly sessionId: string } }).data;
      hanging ||= sessionId;
      return sessionId === hanging ? noAnswer() : reply({ status: 200 });
    };
    await engine.redial.registerHook(hook());
    await engine.order();
    await engine.until(() => receiver.requests.length === 1);
    await engine.order();
    const made = async (status: 'delivered' | 'pending') =>
      (await engine.redial.listHookDeliveries({ hookId: 'booking', status })).items;
    await engine.until(async () => (await made('delivered')).length === 1);
    expect((await made('pending'))[0]?.attempts).toEqual([]);
    await engine.until(async () => (await made('pending'))[0]?.attempts.length === 1);
    expect((await made('pending'))[0]?.attempts[0]?.error).toMatch(/15000 ms|15 s/);
  });

  it.each([429, 502, 504])(
    'that answers %d gets nothing for as long as it asks, of any session',
    async (status) => {
      answer = reply({ status, headers: { 'retry-after': '3600' } });
      await engine.redial.registerHook(hook());
      await engine.order();
      await engine.until(async () => (await delivery())?.attempts.length === 1);
      const [first] = (await delivery())?.attempts ?? [];
      answer = reply({ status: 200 });
      await engine.order();
      await engine.until(async () => (await delivery())?.attempts.length === 0);
      await engine.time.pass(59 * MINUTE_MS);
      expect(receiver.requests).toHaveLength(1);
      await engine.until(() => receiver.requests.length === 3, MINUTE_MS);
      await engine.until(async () => (await delivery())?.status === 'delivered');
      const at = Date.parse((await delivery())?.attempts[0]?.at ?? '');
      expect(at - Date.parse(first?.at ?? '')).toBeGreaterThanOrEqual(HOUR_MS);
    },
  );

  it.each([429, 503])(
    'that answers %d holds back nothing once the hook has another address',
    async (status) => {
      answer = reply({ status, headers: { 'retry-after': '86400' } });
      await engine.redial.registerHook(hook());
      await engine.order();
      await engine.until(async () => (await delivery())?.attempts.length === 1);
      answer = reply({ status: 200 });
      await engine.redial.registerHook({ ...hook(), url: receiver.url.replace('127.0.0.1', 'localhost') });
      await engine.order();
      await engine.until(() => receiver.requests.length === 3);
      const hosts = receiver.requests.map(({ headers }) => String(headers['host']).split(':')[0]);
      expect(hosts).toEqual(['127.0.0.1', 'localhost', 'localhost']);
    },
  );

  it('that redirects has failed: the message and its signature go nowhere else', async () => {
    const elsewhere = await ScriptedWebhookServer.start(() => reply({ status: 200 }));
    answer = reply({ status: 302, headers: { location: elsewhere.url } });
    await engine.redial.registerHook(hook());
    await engine.order();
    await engine.until(async () => ((await delivery())?.attempts.length ?? 0) > 0);
    expect((await delivery())?.attempts[0]).toMatchObject({ status: 302 });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it('is one of at most 100', async () => {
    answer = reply({ status: 200 });
    for (let number = 0; number < 100; number += 1) await engine.redial.registerHook(hook(`hook-${number}`));
    await expect(engine.redial.registerHook(hook('one-more'))).rejects.toThrow(/^\[TooManyHooks\]/);
    await engine.redial.deleteHook({ hookId: 'hook-7' });
    expect(await engine.redial.registerHook(hook('one-more'))).toMatchObject({ hookId: 'one-more' });
  });
});
