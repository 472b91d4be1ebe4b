import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { reply, type ScriptedReply, ScriptedWebhookServer } from '#lib/activities/testing';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { ReactingEngine } from '../support/reacting.js';

describeOnEachEngine('the receiver of a hook', (emptyPlace) => {
  let engine: ReactingEngine;
  let receiver: ScriptedWebhookServer;
  let answer: ScriptedReply;

  beforeEach(async () => {
    receiver = await ScriptedWebhookServer.start(() => answer);
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
