import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventCodec, EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { randomIds, systemClock } from '#lib/kernel';
import { type LogClaimed, logClaimEventDefinitions } from './log-claim.events.js';
import { LogClaim, LogClaimedElsewhere } from './log-claim.js';

const one = { id: 'store-1', name: 'read.sqlite on a' };
const other = { id: 'store-2', name: 'db:5432/redial' };

let log: EventLog;
let claim: LogClaim;
beforeEach(() => {
  log = new EventLog(new InMemoryEventStore(), new EventCodec([logClaimEventDefinitions]), new StreamNames());
  claim = new LogClaim(log, systemClock, randomIds);
});

const claims = () => log.readStream<LogClaimed>('redial_log-claims');
const lastClaim = async () => (await claims()).at(-1)?.data.leaseStoreId;

describe('the claim of a log', () => {
  it('is made once by the first lease store, for all who share it', async () => {
    await claim.hold(one);
    await claim.hold(one);
    await claim.hold({ ...one, name: 'the same, called otherwise' });
    expect(await claims()).toMatchObject([
      {
        type: 'LogClaimed',
        data: { leaseStoreId: 'store-1', leaseStore: 'read.sqlite on a' },
        metadata: { actor: 'redial', correlationId: log.store.logId },
      },
    ]);
  });

  it('keeps another lease store out, and says which one has it and what to do', async () => {
    await claim.hold(one);
    await expect(claim.hold(other)).rejects.toThrow(LogClaimedElsewhere);
    await expect(claim.hold(other)).rejects.toThrow(
      /^\[LogClaimedElsewhere\] this engine, with its leases in db:5432\/redial, .*in read\.sqlite on a run it since 20.*same DATABASE_URL .*`redial log claim`/,
    );
    expect(await claims()).toHaveLength(1);
  });

  it('goes to one of many that want it at the same moment', async () => {
    const stores = [one, other, { id: 'store-3', name: 'c' }, one];
    const outcomes = await Promise.allSettled(stores.map((store) => claim.hold(store)));
    const winner = await lastClaim();
    expect(outcomes.map(({ status }) => status)).toEqual(
      stores.map(({ id }) => (id === winner ? 'fulfilled' : 'rejected')),
    );
    expect(await claims()).toHaveLength(1);
  });

  it('is taken over by a person, and then the one before is kept out', async () => {
    await claim.hold(one);
    expect(await claim.take(other)).toMatchObject({ leaseStoreId: 'store-1' });
    await claim.hold(other);
    await expect(claim.hold(one)).rejects.toThrow(LogClaimedElsewhere);
    expect((await claims()).map(({ metadata }) => metadata.actor)).toEqual(['redial', 'operator']);
  });

  it('is not made again by who has it, and can be made before anybody started', async () => {
    expect(await claim.take(one)).toBeUndefined();
    expect(await claim.take(one)).toMatchObject({ leaseStoreId: 'store-1' });
    expect(await claims()).toHaveLength(1);
  });

  it('is settled between persons who take it at the same moment: the last one counts', async () => {
    await Promise.all([claim.take(one), claim.take(other)]);
    expect(await claims()).toHaveLength(2);
    const [winner, loser] = (await lastClaim()) === one.id ? [one, other] : [other, one];
    await claim.hold(winner);
    await expect(claim.hold(loser)).rejects.toThrow(LogClaimedElsewhere);
  });
});
