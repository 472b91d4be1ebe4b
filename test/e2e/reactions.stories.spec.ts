import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { untilEvent } from '../support/until-event.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import type { Place } from '../support/places/place.js';
import { type Handle, ReactingEngine } from '../support/reacting.js';

const MINUTE_MS = 60_000;
/** The shortest pause before each further attempt. */
const PAUSES = [1_000, 10_000, ...[1, 5, 30, 120].map((minutes) => minutes * MINUTE_MS)];

describeOnEachEngine('a reaction', (emptyPlace) => {
  let place: Place;
  let engine: ReactingEngine | undefined;

  beforeEach(async () => {
    place = await emptyPlace(true);
  });
  afterEach(() => engine?.stop());

  const start = async (handle?: Handle) => {
    const { time } = engine ?? {};
    await engine?.stop();
    engine = await ReactingEngine.start(place, handle, time);
    return engine;
  };

  it('gets each event of its type after its start, once, in order for each session', async () => {
    const one = await start();
    const sessions = [await one.order(), await one.order(), await one.order()];
    for (const id of sessions) await one.step(id, 'pay');
    for (const id of sessions) await one.step(id, 'book');
    await one.until(() => one.received.length === 6);
    for (const id of sessions) expect(one.of(id)).toEqual(['paid', 'booked']);
    expect(new Set(one.received.map(({ key }) => key)).size).toBe(6);
    const next = await start();
    const id = await next.order();
    await next.step(id, 'pay');
    await next.until(() => next.received.length > 0);
    expect(next.received).toMatchObject([{ session: id, toState: 'paid' }]);
  });

  it('gets an event again after a failure, with the same key, each time not before its pause, while other sessions go on', async () => {
    let poisoned = '';
    const one = await start((event) => {
      if (event.metadata.correlationId === poisoned) throw new Error('The ledger is closed.');
    });
    poisoned = await one.order();
    const other = await one.order();
    for (const id of [poisoned, other]) await one.step(id, 'pay');
    for (const id of [poisoned, other]) await one.step(id, 'book');
    await one.until(() => one.of(other).length === 2);
    expect(new Set(one.of(poisoned))).toEqual(new Set(['paid']));
    await one.until(() => one.of(poisoned).length >= 7, MINUTE_MS);
    const tries = one.received.filter(({ session }) => session === poisoned).slice(0, 7);
    expect(new Set(tries.map(({ key, toState }) => `${toState} ${key}`)).size).toBe(1);
    const pauses = tries.slice(1).map(({ at }, index) => at - (tries[index]?.at ?? 0));
    // The clock moves in steps, so that a pause is longer than it is said to be, by chance by more than the next one.
    expect(pauses.map((pause, index) => pause >= (PAUSES[index] ?? Infinity))).toEqual(
      PAUSES.map(() => true),
    );

    // The last attempt parks it, and the next event of its session comes.
    await untilEvent(one.log, ({ type }) => type === 'DeliveryParked');
    await one.until(() => one.of(poisoned).at(-1) === 'booked');
  });

  it('parks what fails too often with its errors, and delivers it again or drops it when an operator says so', async () => {
    let isClosed = true;
    const one = await start(() => {
      if (isClosed) throw new Error('The ledger is closed.');
    });
    const ids = [await one.order(), await one.order()];
    for (const id of ids) await one.step(id, 'pay');
    const parked = async () => (await one.redial.listParkedDeliveries({ name: 'booking' })).items;
    await one.until(async () => (await parked()).length === 2, MINUTE_MS);
    const [first, second] = await parked();
    expect(new Set([first?.stream, second?.stream])).toEqual(new Set(ids.map((id) => `session-${id}`)));
    expect(first?.attempts).toHaveLength(7);
    expect(first?.attempts.map(({ error }) => error)).toEqual(Array(7).fill('The ledger is closed.'));
    const status = async () => (await one.redial.listReactions()).items[0];
    await one.until(async () => (await status())?.lag === 0);
    expect(await status()).toMatchObject({ name: 'booking', parked: 2 });

    isClosed = false;
    const calls = one.received.length;
    const [id, dropped] = [first?.deliveryId ?? '', second?.deliveryId ?? ''];
    expect(await one.redial.retryDelivery({ name: 'booking', id })).toMatchObject({ parked: 1 });
    await one.until(() => one.received.length === calls + 1);
    expect(one.received.at(-1)).toMatchObject({ toState: 'paid', key: id });
    expect(first?.stream).toBe(`session-${one.received.at(-1)?.session}`);
    expect(await one.redial.dropDelivery({ name: 'booking', id: dropped })).toMatchObject({ parked: 0 });
    await expect(one.redial.retryDelivery({ name: 'booking', id: dropped })).rejects.toThrow(
      /^\[UnknownDelivery\] .*it is not parked/,
    );
    expect(await parked()).toEqual([]);
    const next = await start();
    const later = await next.order();
    await next.step(later, 'pay');
    await next.until(() => next.received.length > 0);
    expect(next.received).toMatchObject([{ session: later }]);
  });

  it('that never started is said to be unknown when a delivery of it is retried or dropped', async () => {
    const { redial } = await start();
    const at = (name: string) => ({ name, id: randomUUID() });
    for (const [name, error] of [
      ['bookings', /^\[UnknownReaction\] .*GET \/v1\/reactions/],
      ['booking', /^\[UnknownDelivery\]/],
    ] as const) {
      await expect(redial.retryDelivery(at(name))).rejects.toThrow(error);
      await expect(redial.dropDelivery(at(name))).rejects.toThrow(error);
    }
  });

  it('gets nothing of forks', async () => {
    const one = await start();
    const id = await one.order();
    await one.step(id, 'pay');
    const { sessionId } = await one.redial.forkSession({ sessionId: id, atRevision: 0 });
    await one.step(sessionId, 'pay');
    await one.step(id, 'book');
    await one.until(() => one.received.length === 2);
    expect(one.received).toMatchObject([{ session: id }, { session: id }]);
  });
});
