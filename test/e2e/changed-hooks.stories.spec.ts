import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { reply, type ScriptedReply, ScriptedWebhookServer } from '#lib/activities/testing';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { ReactingEngine } from '../support/reacting.js';
import { gate } from '#lib/kernel/testing';

const secret = `whsec_${randomBytes(24).toString('base64')}`;

describeOnEachEngine('a hook that is changed while it is told', (emptyPlace) => {
  let place: Parameters<typeof ReactingEngine.start>[0];
  let engine: ReactingEngine;
  let receiver: ScriptedWebhookServer;
  let tokens: Record<string, string>;
  let answer: () => ScriptedReply | Promise<ScriptedReply>;

  beforeEach(async () => {
    answer = () => reply({ status: 200 });
    receiver = await ScriptedWebhookServer.start(() => answer());
    tokens = { BOOKING_HOOK_TOKEN: secret };
    const webhooks = { privateAddresses: 'allow', tokens } as const;
    place = { ...(await emptyPlace(true)), webhooks };
    engine = await ReactingEngine.start(place);
  });
  afterEach(async () => {
    await engine.stop();
    await receiver.close();
  });

  const hook = (over: object = {}) => ({
    hookId: 'booking',
    url: receiver.url,
    types: ['session.created'] as const,
    secretName: 'BOOKING_HOOK_TOKEN',
    ...over,
  });
  const asked = (count: number) => engine.until(() => receiver.requests.length === count);

  it('stays registered when the deletion of an earlier one is repeated under its key', async () => {
    const { redial } = engine;
    const once = { idempotencyKey: 'del' };
    await redial.registerHook(hook());
    await redial.deleteHook({ hookId: 'booking' }, once);
    await redial.registerHook(hook());
    await redial.deleteHook({ hookId: 'booking' }, once);
    expect(await redial.getHook({ hookId: 'booking' })).toMatchObject({ disabled: false });
    await engine.order();
    await asked(1);
    await redial.registerHook(hook({ hookId: 'other' }));
  });

  it('has the answer of its first registration when that is repeated under its key after its variable is gone', async () => {
    const once = { idempotencyKey: 'add' };
    await engine.redial.registerHook(hook(), once);
    delete tokens['BOOKING_HOOK_TOKEN'];
    expect(await engine.redial.registerHook(hook(), once)).toMatchObject({ hookId: 'booking' });
    await expect(engine.redial.registerHook(hook({ hookId: 'other' }))).rejects.toThrow(/is not set/);
  });

  it('is disabled also after its variable is gone, and enabled once it is there again', async () => {
    const { redial } = engine;
    await redial.registerHook(hook());
    delete tokens['BOOKING_HOOK_TOKEN'];
    expect(await redial.registerHook(hook({ disabled: true }))).toMatchObject({ disabled: true });
    await expect(redial.registerHook(hook({ disabled: false }))).rejects.toThrow(/is not set/);
    await engine.order();
    tokens['BOOKING_HOOK_TOKEN'] = secret;
    expect(await redial.registerHook(hook({ disabled: false }))).toMatchObject({ disabled: false });
    await asked(1);
  });

  it('is deleted, and others are registered, while its receiver hangs', async () => {
    const { redial } = engine;
    const { opened: came, open: letGo } = gate<ScriptedReply>();
    answer = () => came;
    await redial.registerHook(hook());
    await engine.order();
    await asked(1);
    await redial.deleteHook({ hookId: 'booking' });
    await redial.registerHook(hook({ hookId: 'other', url: 'http://127.0.0.1:9/other' }));
    letGo(reply({ status: 200 }));
    expect((await redial.listHooks()).items.map(({ hookId }) => hookId)).toEqual(['other']);
  });

  it('is not disabled where its address of before says that it is gone', async () => {
    const { redial } = engine;
    const { opened: came, open: letGo } = gate<ScriptedReply>();
    answer = () => came;
    await redial.registerHook(hook());
    await engine.order();
    await asked(1);
    await redial.registerHook(hook({ url: `${receiver.url}/new` }));
    letGo(reply({ status: 410 }));
    const parked = async () =>
      (await redial.listHookDeliveries({ hookId: 'booking', status: 'parked' })).items;
    await engine.until(async () => (await parked()).length === 1);
    expect(await redial.getHook({ hookId: 'booking' })).toMatchObject({ disabled: false });
  });

  it('drops what it does not tell any more: it is not listed as delivered', async () => {
    const { redial } = engine;
    answer = () => reply({ status: 500 });
    await redial.registerHook(hook());
    await engine.order();
    const of = async (status: 'pending' | 'delivered') =>
      (await redial.listHookDeliveries({ hookId: 'booking', status })).items;
    await engine.until(async () => (await of('pending'))[0]?.attempts.length === 1);
    await redial.registerHook(hook({ types: ['round.decided'] }));
    await engine.until(async () => (await of('pending')).length === 0, 60_000);
    expect(await of('delivered')).toEqual([]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('tells what comes after the change also in a process that takes it in late', async () => {
    const { log, redial } = engine;
    await redial.registerHook(hook());
    await engine.order();
    await asked(1);
    const other = await ReactingEngine.start(place);
    const { opened: taken, open: takeIn } = gate();
    const load = log.load.bind(log);
    log.load = async (stream) => {
      if (stream === log.streams.of('hook', 'all')) await taken;
      return load(stream);
    };
    await other.redial.registerHook(hook({ types: ['round.decided'] }));
    const session = await other.order();
    await other.step(session, 'pay');
    // The page of the log that this process reacts to, its hook has as well.
    await engine.until(() => engine.of(session).length === 1);
    takeIn();
    await asked(2);
    await other.stop();
    expect(receiver.requests.slice(1).map(({ body }) => body)).toMatchObject([{ type: 'round.decided' }]);
  });
});
