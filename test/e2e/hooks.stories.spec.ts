import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  reply,
  type ScriptedReply,
  type ScriptedRequest,
  ScriptedWebhookServer,
} from '#lib/activities/testing';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import type { Place } from '../support/places/place.js';
import { approval } from '../support/approval.workflow.js';
import { orders, ReactingEngine } from '../support/reacting.js';
import { HOOK_TYPES } from '../../libs/hooks/hook-types.js';

const MINUTE_MS = 60_000;
const secret = `whsec_${randomBytes(24).toString('base64')}`;

interface Told {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly [member: string]: string };
}

describeOnEachEngine('a hook', (emptyPlace) => {
  let place: Place;
  let engine: ReactingEngine | undefined;
  let receiver: ScriptedWebhookServer;
  let answer: (request: ScriptedRequest) => ScriptedReply | Promise<ScriptedReply>;

  beforeEach(async () => {
    place = await emptyPlace(true);
    answer = () => reply({ status: 204 });
    receiver = await ScriptedWebhookServer.start((request) => answer(request));
  });
  afterEach(async () => {
    await engine?.stop();
    engine = undefined;
    await receiver.close();
  });

  const start = async () => {
    const { time } = engine ?? {};
    await engine?.stop();
    const webhooks = { privateAddresses: 'allow', tokens: { BOOKING_HOOK_TOKEN: secret } } as const;
    const options = { ...place, webhooks, workflows: [approval] };
    engine = await ReactingEngine.start(options, undefined, time);
    return engine;
  };
  const hook = (over: object = {}) => ({
    hookId: 'booking',
    url: receiver.url,
    types: ['session.created', 'round.decided', 'session.done'] as const,
    secretName: 'BOOKING_HOOK_TOKEN',
    ...over,
  });
  const told = () => receiver.requests.map(({ body }) => body as object as Told);
  const typesOf = (id: string) =>
    told().flatMap(({ type, data }) => (data['sessionId'] === id ? [`${type} ${data['status']}`] : []));
  const deliveries = async (one: ReactingEngine, status?: 'pending' | 'delivered' | 'parked') =>
    (await one.redial.listHookDeliveries({ hookId: 'booking', ...(status && { status }) })).items;

  it('is told what happens after it was registered, in order for each session, with ids, names and a status', async () => {
    const one = await start();
    const early = await one.order();
    expect(await one.redial.registerHook(hook())).toEqual({ ...hook(), disabled: false });
    const id = await one.order();
    await one.step(id, 'pay');
    await one.step(id, 'book');
    await one.step(early, 'pay');
    await one.until(() => receiver.requests.length === 5);
    expect(typesOf(id)).toEqual([
      'session.created open',
      'round.decided open',
      'round.decided done',
      'session.done done',
    ]);
    expect(typesOf(early)).toEqual(['round.decided open']);
    const [first] = told();
    const { items } = await one.redial.listSessionEvents({ sessionId: id });
    const created = items[0] as { occurredAt: string; data: { roundId: string } };
    expect(first).toEqual({
      type: 'session.created',
      timestamp: created.occurredAt,
      data: { sessionId: id, machineName: 'orders', roundId: created.data.roundId, status: 'open' },
    });
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    await one.until(async () => (await deliveries(one, 'delivered')).length === 5);
    const made = await deliveries(one);
    expect(new Set(made.map(({ deliveryId }) => deliveryId))).toEqual(new Set(ids));
    expect(made.map(({ attempts }) => attempts.map(({ status }) => status))).toEqual(
      Array.from({ length: 5 }, () => [204]),
    );
  });

  it('signs its requests as Standard Webhooks says', async () => {
    const one = await start();
    await one.redial.registerHook(hook());
    expect(await one.redial.testHook({ hookId: 'booking' })).toMatchObject({ status: 204 });
    const [request] = receiver.requests;
    const headers = request?.headers as Record<string, string>;
    // The clock of the engine is that of the test: the library would find the time too old.
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
    const signature = new Webhook(secret).sign(headers['webhook-id'] ?? '', sentAt, request?.text ?? '');
    expect(headers['webhook-signature']).toBe(signature);
    expect(sentAt.getTime()).toBeLessThanOrEqual(one.time.now().getTime());
    expect(request?.body).toMatchObject({ type: 'hook.test', data: { hookId: 'booking' } });
  });

  it('is called again later with the same id while other sessions go on, then is parked and retried by an operator', async () => {
    const one = await start();
    await one.redial.registerHook(hook({ types: ['round.decided'] }));
    const [down, other] = [await one.order(), await one.order()];
    answer = ({ body }) => reply({ status: (body as object as Told).data['sessionId'] === down ? 500 : 200 });
    for (const id of [down, other]) await one.step(id, 'pay');
    for (const id of [down, other]) await one.step(id, 'book');
    await one.until(() => typesOf(other).length === 2);
    expect(new Set(typesOf(down))).toEqual(new Set(['round.decided open']));
    const waiting = (await deliveries(one, 'pending')).at(-1);
    expect(waiting).toMatchObject({ type: 'round.decided', status: 'pending' });
    answer = () => reply({ status: 410 });
    await one.until(async () => (await deliveries(one, 'parked')).length > 0, 1_000);
    const first = (await deliveries(one, 'parked')).at(-1);
    expect(first?.deliveryId).toBe(waiting?.deliveryId);
    expect(first?.attempts).toMatchObject([
      { status: 500, error: 'The receiver answered 500.' },
      { status: 410, error: 'The receiver answered 410.' },
    ]);
    const pauseMs = Date.parse(first?.attempts[1]?.at ?? '') - Date.parse(first?.attempts[0]?.at ?? '');
    expect(pauseMs).toBeGreaterThanOrEqual(5_000);
    answer = () => reply({ status: 200 });
    await one.redial.registerHook(hook({ types: ['round.decided'], disabled: false }));
    const again = { hookId: 'booking', deliveryId: first?.deliveryId ?? '' };
    expect(await one.redial.retryHookDelivery(again)).toMatchObject({ status: 'pending' });
    await one.until(async () =>
      (await deliveries(one, 'delivered')).some(({ deliveryId }) => deliveryId === first?.deliveryId),
    );
    await expect(one.redial.retryHookDelivery(again)).rejects.toThrow(/^\[DeliveryDelivered\]/);
  });

  it('waits as long as the receiver asks', async () => {
    const one = await start();
    await one.redial.registerHook(hook({ types: ['session.created'] }));
    answer = () => reply({ status: 503, headers: { 'retry-after': '7200' } });
    await one.order();
    await one.until(() => receiver.requests.length === 1);
    answer = () => reply({ status: 200 });
    await one.until(async () => (await deliveries(one, 'pending'))[0]?.attempts.length === 1);
    const failedAt = one.time.now().getTime();
    await one.until(() => receiver.requests.length === 2, 10 * MINUTE_MS);
    expect(one.time.now().getTime() - failedAt).toBeGreaterThanOrEqual(119 * MINUTE_MS);
  });

  it('is disabled by a receiver that is gone, which another hook is told, and goes on once it is enabled', async () => {
    const one = await start();
    const other = await ScriptedWebhookServer.start(() => reply({ status: 200 }));
    await one.redial.registerHook(hook({ types: ['session.created', 'reaction.parked'] }));
    await one.redial.registerHook(hook({ hookId: 'watch', url: other.url, types: ['reaction.parked'] }));
    answer = () => reply({ status: 410 });
    await one.order();
    await one.until(() => other.requests.length === 1);
    expect(other.requests[0]?.body).toMatchObject({
      type: 'reaction.parked',
      data: { reaction: 'hook-booking' },
    });
    expect(await one.redial.getHook({ hookId: 'booking' })).toMatchObject({ disabled: true, gone: true });
    answer = () => reply({ status: 200 });
    const later = await one.order();
    const body = hook({ types: ['session.created', 'reaction.parked'], disabled: false });
    await one.redial.registerHook(body);
    await one.until(() => typesOf(later).length === 1);
    expect(told().map(({ type }) => type)).toEqual(['session.created', 'session.created']);
    await other.close();
  });

  it('that is disabled lists what is retried as pending, with the reason, and makes it once it is enabled', async () => {
    const one = await start();
    await one.redial.registerHook(hook());
    answer = () => reply({ status: 410 });
    const id = await one.order();
    await one.until(async () => (await deliveries(one, 'parked')).length === 1);
    const [{ deliveryId } = { deliveryId: '' }] = await deliveries(one, 'parked');
    const retry = () => one.redial.retryHookDelivery({ hookId: 'booking', deliveryId });
    const waits = { deliveryId, type: 'session.created', status: 'pending', reason: 'hook-disabled' };
    expect(await retry()).toMatchObject(waits);
    for (const status of [undefined, 'pending'] as const)
      expect(await deliveries(one, status)).toMatchObject([waits]);
    expect(await deliveries(one, 'parked')).toEqual([]);
    await expect(retry()).rejects.toThrow(/^\[DeliveryPending\]/);
    answer = () => reply({ status: 204 });
    await one.redial.registerHook(hook({ disabled: false }));
    await one.until(() => typesOf(id).length === 2);
    await one.until(async () => (await deliveries(one, 'delivered')).length === 1);
    expect(await deliveries(one, 'pending')).toEqual([]);
  });

  it('goes on where it was after a restart, and what waits goes to the newest address', async () => {
    const one = await start();
    await one.redial.registerHook(hook({ url: 'http://127.0.0.1:9/hook' }));
    const id = await one.order();
    await one.until(async () => (await deliveries(one, 'pending'))[0]?.attempts.length === 1);
    const next = await start();
    await next.redial.registerHook(hook());
    await next.until(() => typesOf(id).length === 1, MINUTE_MS);
  });

  it('that is not registered is said to be unknown, and a cursor of its deliveries is of no other hook', async () => {
    const one = await start();
    const { redial } = one;
    for (const hookId of ['booking', 'other'])
      await redial.registerHook(hook({ hookId, url: 'http://127.0.0.1:9/hook' }));
    for (let n = 0; n < 2; n++) await one.order();
    const page = (hookId: string, cursor = {}) => redial.listHookDeliveries({ hookId, limit: 1, ...cursor });
    await one.until(async () => (await page('booking')).nextCursor !== null);
    const cursor = (await page('booking')).nextCursor ?? '';
    expect((await page('booking', { cursor })).items).toHaveLength(1);
    await expect(page('other', { cursor })).rejects.toThrow(/^\[InvalidCursor\]/);
    const deliveryId = randomUUID();
    for (const asked of [
      page('orders'),
      redial.retryHookDelivery({ hookId: 'orders', deliveryId }),
      redial.testHook({ hookId: 'orders' }),
    ])
      await expect(asked).rejects.toThrow(/^\[UnknownHook\]/);
    await expect(redial.retryHookDelivery({ hookId: 'other', deliveryId })).rejects.toThrow(
      /^\[UnknownDelivery\] .* the parked deliveries of the hook /,
    );
  });

  it('that is deleted loses what waits, and begins anew if it is registered again', async () => {
    const one = await start();
    answer = () => reply({ status: 500 });
    await one.redial.registerHook(hook());
    await one.order();
    await one.until(async () => (await deliveries(one, 'pending'))[0]?.attempts.length === 1);
    await one.redial.deleteHook({ hookId: 'booking' });
    await expect(one.redial.getHook({ hookId: 'booking' })).rejects.toThrow(/^\[UnknownHook\]/);
    expect((await one.redial.listReactions()).items.map(({ name }) => name)).toEqual(['booking']);
    const calls = receiver.requests.length;
    answer = () => reply({ status: 200 });
    await one.order();
    await one.redial.registerHook(hook());
    const id = await one.order();
    await one.until(() => typesOf(id).length === 1);
    await one.until(async () => (await deliveries(one, 'pending')).length === 0);
    expect(receiver.requests.length).toBe(calls + 1);
  });

  it('is told what waits for people in sessions and runs, and who is waited for no more', async () => {
    const one = await start();
    const specialists = [{ role: 'proposer', specialistId: 'ann', isHuman: true }] as const;
    await one.redial.defineMachine({ ...orders, machineName: 'desk', specialists });
    const types = HOOK_TYPES.filter((type) => !type.startsWith('log.'));
    await one.redial.registerHook(hook({ types }));
    const { sessionId } = await one.redial.createSession({ machineName: 'desk' });
    await one.redial.tickSession({ sessionId });
    await one.redial.submitArbitration({
      sessionId,
      specialistId: 'ann',
      transitionName: 'pay',
      metaJson: {},
    });
    await one.until(() => typesOf(sessionId).length === 5);
    expect(typesOf(sessionId)).toEqual([
      'session.created open',
      'session.needs_human needs_human',
      'task.opened open',
      'round.decided open',
      'task.answered answered',
    ]);
    const tasks = told().flatMap(({ type, data }) => (type.startsWith('task.') ? [data] : []));
    const { items } = await one.redial.listTasks({ status: 'all' });
    expect(tasks.map((data) => [data['taskId'], data['machineName']])).toEqual(
      Array.from({ length: 2 }, () => [items[0]?.taskId, 'desk']),
    );
    const { runId } = await one.redial.startRun({ workflow: approval.name, input: { item: 'desk' } });
    const ofRun = () => told().flatMap(({ type, data }) => (data['runId'] === runId ? [type] : []));
    await one.until(() => ofRun().length === 2);
    expect(ofRun()).toEqual(['run.waiting', 'task.opened']);
    await one.redial.signalRun({ runId, name: 'approval', payload: { approved: true } });
    await one.until(() => ofRun().length === 4);
    expect(ofRun().slice(2)).toEqual(['task.answered', 'run.completed']);
  });

  it('tells nothing of forks and of other machines', async () => {
    const one = await start();
    await one.redial.registerHook(hook({ machineName: 'orders' }));
    await one.redial.registerHook(hook({ hookId: 'others', machineName: 'other' }));
    const id = await one.order();
    const { sessionId } = await one.redial.forkSession({ sessionId: id, atRevision: 0 });
    await one.step(sessionId, 'pay');
    await one.step(id, 'pay');
    await one.until(() => typesOf(id).length === 2);
    expect(receiver.requests).toHaveLength(2);
  });

  it('is refused without a secret that can sign, and with an address that is none', async () => {
    const one = await start();
    const refused = (over: object, why: RegExp) =>
      expect(one.redial.registerHook(hook(over))).rejects.toThrow(why);
    await refused({ secretName: undefined }, /^\[Configuration\].*names no secret/);
    await refused({ secretName: 'OTHER_HOOK_TOKEN' }, /^\[Configuration\].*OTHER_HOOK_TOKEN is not set/);
    await refused({ secretName: 'PATH' }, /^\[InvalidHook\].*HOOK_TOKEN/);
    await refused({ url: 'ftp://example.com' }, /^\[InvalidHook\].*http or https/);
    await refused({ types: ['session.eaten'] }, /types/);
    expect((await one.redial.listHooks()).items).toEqual([]);
  });
});
