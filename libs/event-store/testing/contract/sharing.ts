import { expect, it } from '@jest/globals';
import { RevisionConflict } from '../../errors.js';
import type { EventStore } from '../../event-store.js';
import { follow, idsOf, someEvents, wholeLog } from './sample-events.js';
import type { ContractSubject, CurrentSubject } from './subject.js';

export function describeReopening(subject: CurrentSubject): void {
  it('finds everything again after it was closed, under the same log id', async () => {
    const { store, reopen } = offering(subject(), 'reopen');
    const events = someEvents(2);
    const appended = await store.append('a', 'no-stream', events);
    await store.append('b', 'no-stream', someEvents(3));
    const log = await wholeLog(store);
    await store.close();
    const reopened = await reopen();
    expect(reopened.logId).toBe(store.logId);
    expect(await wholeLog(reopened)).toEqual(log);
    expect(await reopened.head()).toBe(log.at(-1)?.position);
    expect(await reopened.append('a', 'no-stream', events)).toEqual(appended);
    expect(await reopened.append('a', 'any', events)).toEqual(appended);
    const next = await reopened.append('a', 1, someEvents(1));
    expect(next.revision).toBe(2);
    expect(next.position > (log.at(-1)?.position ?? '')).toBe(true);
  });
}

export function describeSharing(subject: CurrentSubject): void {
  it('shows each store of a log what the other appended', async () => {
    const { store, second } = offering(subject(), 'second');
    const other = await second();
    expect(other.logId).toBe(store.logId);
    const events = someEvents(2);
    const appended = await store.append('s', 'no-stream', events);
    expect(idsOf(await other.readStream('s'))).toEqual(idsOf(events));
    expect(await other.append('s', 'any', events)).toEqual(appended);
    await expect(other.append('s', 0, someEvents(1))).rejects.toBeInstanceOf(RevisionConflict);
    await other.append('s', 1, someEvents(1));
    expect(await store.readStream('s')).toHaveLength(3);
  });

  it('wakes the subscribers of one store when another appends', async () => {
    const { store, second } = offering(subject(), 'second');
    const other = await second();
    let late: Promise<unknown> | undefined;
    const seen = await follow(store, undefined, (events, batch) => {
      if (batch.length === 0) late ??= other.append('s', 'any', someEvents(2));
      return events.length === 2;
    });
    await late;
    expect(seen).toEqual(await wholeLog(store));
  });

  it('keeps one order and one winner for writers through two stores', async () => {
    const { store, second } = offering(subject(), 'second');
    const stores: EventStore[] = [store, await second()];
    const following = stores.map((each) => follow(each, undefined, (events) => events.length === 110));
    const writing = stores.flatMap((each) =>
      Array.from({ length: 50 }, (_, n) => each.append(`s${n % 10}`, 'any', someEvents(1))),
    );
    await Promise.all(writing);
    for (let revision = -1; revision < 9; revision += 1) {
      const expected = revision < 0 ? 'no-stream' : revision;
      const race = await Promise.allSettled(
        stores.map((each) => each.append('race', expected, someEvents(1))),
      );
      expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
    const log = await wholeLog(store);
    expect(await Promise.all(following)).toEqual([log, log]);
  });
}

function offering<Name extends 'reopen' | 'second'>(
  subject: ContractSubject,
  name: Name,
): ContractSubject & Required<Pick<ContractSubject, Name>> {
  const offered = subject[name];
  if (offered === undefined) throw new Error(`open() gives no ${name}, though the capability is declared.`);
  return { ...subject, [name]: offered } as ContractSubject & Required<Pick<ContractSubject, Name>>;
}
