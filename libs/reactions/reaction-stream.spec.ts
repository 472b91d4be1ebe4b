import { expect, it } from '@jest/globals';
import { InMemoryEventStore } from '#lib/event-store';
import { randomIds, systemClock } from '#lib/kernel';
import { ReactionStream } from './reaction-stream.js';
import { NAME, numberedLog } from './testing/reacting-log.js';

it('a reaction is moved by no process that still runs the one of its name before, and gets nothing that it parks', async () => {
  const log = numberedLog(new InMemoryEventStore());
  const ofLife = (life: number) => new ReactionStream(log, systemClock, randomIds, NAME, life);
  await ofLife(0).begun();
  await ofLife(0).end({ name: NAME, life: 0, by: 'ann' });
  const begun = await ofLife(1).begun();
  const place = { stream: 'session-1', revision: 0, life: 0 };
  await ofLife(0).send({ type: 'AdvanceReaction', data: place });
  const failed = { deliveryId: 'd', type: 'Numbered', attempts: [] };
  await ofLife(0).send({ type: 'ParkDelivery', data: { ...place, ...failed } });
  expect(await ofLife(1).begun()).toEqual(begun);
});
