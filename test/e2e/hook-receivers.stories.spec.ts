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
import type { Place } from '../support/places/place.js';
import { ReactingEngine } from '../support/reacting.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Between attempts, at least. */
const PAUSES_HOURS = [5 / 3600, 1 / 12, 0.5, 2, 5, 10, 14, 20, 24];

const tokens = { BOOKING_HOOK_TOKEN: `whsec_${randomBytes(24).toString('base64')}` };

describeOnEachEngine('the receiver of a hook', (emptyPlace) => {
  let engine: ReactingEngine;
  let receiver: ScriptedWebhookServer;
  let place: Place;
  let answer: ScriptedReply | ((request: ScriptedRequest) => ScriptedReply);

  beforeEach(async () => {
    receiver = await ScriptedWebhookServer.start((request) =>
      typeof answer === 'function' ? answer(request) : answer,
    );
    place = await emptyPlace(true);
    await start();
  });
  const start = async (time?: ReactingEngine['time']) => {
    const webhooks = { privateAddresses: 'allow', tokens } as const;
    engine = await ReactingEngine.start({ ...place, webhooks }, undefined, time);
  };
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
      await engine.pass(59 * MINUTE_MS);
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

  it.each([10, 400])('that asks for seconds of %d digits is not asked again in a minute', async (digits) => {
    answer = reply({ status: 503, headers: { 'retry-after': '9'.repeat(digits) } });
    await engine.redial.registerHook(hook());
    await engine.order();
    await engine.until(async () => (await delivery())?.attempts.length === 1);
    await engine.pass(MINUTE_MS);
    // A later session is told behind it.
    answer = reply({ status: 200 });
    await engine.order();
    await engine.until(async () => (await delivery())?.status === 'delivered');
    expect(receiver.requests).toHaveLength(2);
  });

  it('that fails is asked ten times in three days, and then the delivery is parked', async () => {
    answer = reply({ status: 500 });
    await engine.redial.registerHook(hook());
    await engine.order();
    for (const [before, hours] of PAUSES_HOURS.entries()) {
      await engine.until(async () => (await delivery())?.attempts.length === before + 1);
      // Three days of renewed leases take too long.
      await engine.stop();
      await engine.time.pass(1.1 * hours * HOUR_MS);
      await start(engine.time);
    }
    await engine.until(async () => (await delivery())?.status === 'parked');
    const { attempts = [] } = (await delivery()) ?? {};
    expect(attempts.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 500));
    expect(receiver.requests).toHaveLength(10);
    const at = attempts.map((one) => Date.parse(one.at));
    const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    const early = PAUSES_HOURS.filter((hours, index) => (pauses[index] ?? 0) < hours * HOUR_MS);
    expect([pauses.length, early]).toEqual([9, []]);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('that is down for an hour holds back its own sessions alone, and gets them in order then', async () => {
    const other = await ScriptedWebhookServer.start(() => reply({ status: 200 }));
    const types = ['session.created', 'round.decided'] as const;
    await engine.redial.registerHook({ ...hook(), types });
    await engine.redial.registerHook({ ...hook('other'), url: other.url, types });
    let isDown = true;
    answer = ({ body }) => {
      const { sessionId } = (body as { readonly data: { readonly sessionId: string } }).data;
      return reply({ status: isDown && sessionId === held ? 503 : 200 });
    };
    const held = await engine.order();
    const free = await engine.order();
    for (const id of [held, free]) await engine.step(id, 'pay');
    const told = ({ requests }: ScriptedWebhookServer, id: string) =>
      requests.flatMap(({ body }) => {
        const { type, data } = body as { readonly type: string; readonly data: { sessionId: string } };
        return data.sessionId === id ? [type] : [];
      });
    await engine.pass(HOUR_MS);
    await engine.until(() => told(receiver, free).length === 2 && other.requests.length === 4);
    await engine.until(() => engine.received.length === 2);
    expect(new Set(told(receiver, held))).toEqual(new Set(['session.created']));
    isDown = false;
    await engine.until(() => told(receiver, held).includes('round.decided'), 5 * MINUTE_MS);
    expect(told(receiver, held).slice(-2)).toEqual(types);
    await other.close();
  });

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
