import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { reply, ScriptedWebhookServer } from '#lib/activities/testing';
import { ERASED, handleCommand } from '#lib/event-store';
import { SubjectKeys } from '#lib/read-models';
import { hookDecider } from '../../libs/hooks/hook.decider.js';
import { HookReactions, HOOKS } from '../../libs/hooks/hook-reactions.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import type { Place } from '../support/places/place.js';
import { ReactingEngine } from '../support/reacting.js';

const masterKey = randomBytes(32).toString('base64');
const webhooks = { privateAddresses: 'allow', tokens: {} } as const;

describeOnEachEngine('a hook without the name of a secret', (emptyPlace) => {
  let place: Place;
  let engine: ReactingEngine;
  let receiver: ScriptedWebhookServer;

  const start = async (key: object = { masterKey }) => {
    engine = await ReactingEngine.start({ ...place, webhooks, ...key });
    return engine;
  };
  beforeEach(async () => {
    place = await emptyPlace(true);
    receiver = await ScriptedWebhookServer.start(() => reply({ status: 200 }));
  });
  afterEach(async () => {
    await engine.stop();
    await receiver.close();
  });

  const hook = (over: object = {}) => ({
    hookId: 'booking',
    url: receiver.url,
    types: ['session.created'] as const,
    ...over,
  });
  /** Whether the last request is signed with it. */
  const isSignedWith = (secret: string | undefined) => {
    const { headers, text } = receiver.requests.at(-1) ?? { headers: {}, text: '' };
    const {
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': signature,
    } = headers as Record<string, string>;
    const sentAt = new Date(Number(at) * 1000);
    return secret !== undefined && new Webhook(secret).sign(id ?? '', sentAt, text ?? '') === signature;
  };

  it('has a random one, in the answer to the call that registers it, also if that is repeated, and nowhere else', async () => {
    const { redial, log } = await start();
    const call = { idempotencyKey: 'register' };
    const registered = await redial.registerHook(hook(), call);
    const { secret = '' } = registered;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(registered).toEqual({ ...hook(), disabled: false, secret });
    expect(await redial.registerHook(hook(), call)).toEqual(registered);
    const others = [
      await redial.registerHook(hook()),
      await redial.registerHook(hook({ machineName: 'orders' })),
      await redial.getHook({ hookId: 'booking' }),
      (await redial.listHooks()).items[0],
    ];
    expect(others.map((one) => one && 'secret' in one)).toEqual([false, false, false, false]);
    await redial.testHook({ hookId: 'booking' });
    expect(isSignedWith(secret)).toBe(true);
    const stored = await log.store.readAll({ limit: 1_000 });
    expect(stored.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length));
  });

  it('keeps it over a restart, loses it when it is deleted, and has another one if it is registered again', async () => {
    const one = await start();
    const { secret } = await one.redial.registerHook(hook());
    await one.stop();
    const next = await start();
    await next.redial.testHook({ hookId: 'booking' });
    expect(isSignedWith(secret)).toBe(true);
    await next.redial.deleteHook({ hookId: 'booking' });
    const again = await next.redial.registerHook(hook());
    expect(again.secret).toMatch(/^whsec_/);
    await next.redial.testHook({ hookId: 'booking' });
    expect([secret, again.secret].map(isSignedWith)).toEqual([false, true]);
  });

  it('loses it at the next start after the process that deleted it died before that', async () => {
    const one = await start();
    await one.redial.registerHook(hook());
    const keyOf = (of: ReactingEngine) => of.app.get(SubjectKeys).find('hook\u0001booking\u00010');
    await one.app.get(HookReactions).stop();
    const stream = one.log.streams.of(HOOKS.category, HOOKS.id);
    const deleting = { type: 'DeleteHook', data: { hookId: 'booking', by: 'operator' } } as const;
    const occurredAt = one.time.now().toISOString();
    const context = { commandId: randomUUID(), correlationId: HOOKS.id, actor: 'operator', occurredAt };
    await handleCommand(one.log, hookDecider, stream, deleting, context);
    expect(await keyOf(one)).toBeInstanceOf(Uint8Array);
    await one.stop();
    const next = await start();
    await next.until(async () => (await keyOf(next)) === ERASED);
  });

  it('is refused without a master key', async () => {
    const { redial } = await start({});
    await expect(redial.registerHook(hook())).rejects.toThrow(
      /^\[Configuration\].*names no secret.*REDIAL_MASTER_KEY/,
    );
    expect((await redial.listHooks()).items).toEqual([]);
  });
});
