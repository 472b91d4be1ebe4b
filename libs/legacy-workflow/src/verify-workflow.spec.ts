import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#lib/kernel';
import { brings, errand, type ErrandEvent, misses } from './testing/errand.workflow.js';
import { recordedEvents } from './testing/recorded-events.js';
import { verifyWorkflow } from './verify-workflow.js';

const asked = (shop: string, attempt = 1): ErrandEvent => ({
  type: 'GoodsRequested',
  data: { shop, attempt },
});
const goods = { b: 1, a: [2, 'x'] };
const honest: readonly ErrandEvent[] = [
  { type: 'ErrandStarted', data: { shops: ['baker', 'grocer'], attempts: 2 } },
  asked('baker'),
  misses()(asked('baker')),
  asked('baker', 2),
  brings(goods)(asked('baker')),
  { type: 'ShopLeft', data: { shop: 'baker' } },
  asked('grocer'),
  brings('tea')(asked('grocer')),
  { type: 'ShopLeft', data: { shop: 'grocer' } },
  { type: 'ErrandDone', data: { basket: [goods, 'tea'] } },
];
const history = (events: readonly ErrandEvent[] = honest) => recordedEvents(events, 'errand-1');
const verify = (events: readonly RecordedEvent<ErrandEvent>[]) => verifyWorkflow(errand, events);
const replaced = (place: number, event: ErrandEvent) => verify(history(honest.with(place, event)));

describe('verifyWorkflow', () => {
  it('derives an honest history again, and counts what it derived and what it took as given', () => {
    expect(verify(history())).toEqual({ derived: 6, given: 4, open: false });
  });

  it('finds every beginning of an honest history open, and not divergent', () => {
    for (const length of honest.keys()) {
      expect(verify(history(honest.slice(0, length)))).toMatchObject({ open: true });
      expect(verify(history(honest.slice(0, length)))).not.toHaveProperty('divergence');
    }
  });

  it('names stream, revision, type, pointer, what is recorded and what was derived', () => {
    const changed = replaced(9, { type: 'ErrandDone', data: { basket: [{ b: 1, a: [3, 'x'] }, 'tea'] } });
    expect(changed).toEqual({
      derived: 5,
      given: 4,
      open: false,
      divergence: {
        stream: 'errand-1',
        revision: 9,
        type: 'ErrandDone',
        pointer: '/data/basket/0/a/0',
        recorded: 3,
        replayed: 2,
      },
    });
  });

  it('finds members in another order', () => {
    const { divergence } = replaced(9, {
      type: 'ErrandDone',
      data: { basket: [{ a: [2, 'x'], b: 1 }, 'tea'] },
    });
    expect(divergence).toMatchObject({ revision: 9, pointer: '/data/basket/0' });
  });

  it('finds another type where a derived event belongs', () => {
    const { divergence } = replaced(5, { type: 'ErrandGivenUp', data: { why: 'network' } });
    expect(divergence).toMatchObject({
      revision: 5,
      pointer: '/type',
      recorded: 'ErrandGivenUp',
      replayed: 'ShopLeft',
    });
  });

  it('finds a given event that does not answer the pending request', () => {
    for (const event of [brings('tea')(asked('grocer')), asked('baker', 2), honest[9] as ErrandEvent]) {
      expect(replaced(4, event).divergence).toMatchObject({
        revision: 4,
        pointer: '/type',
        replayed: 'an outcome of GoodsRequested',
      });
    }
  });

  it('finds a given event that contradicts its own checksum', () => {
    const brought = brings(goods)(asked('baker')) as Extract<ErrandEvent, { type: 'GoodsBrought' }>;
    const { divergence } = replaced(4, { ...brought, data: { ...brought.data, goods: 'stone' } });
    expect(divergence).toMatchObject({ revision: 4, pointer: '/data/sha256' });
  });

  it('finds at a later derived event what an exchanged outcome, sound in itself, would have changed', () => {
    const { divergence } = replaced(4, brings('stone')(asked('baker')));
    expect(divergence).toMatchObject({ revision: 9, pointer: '/data/basket/0' });
  });

  it('finds events after the end', () => {
    const { divergence } = verify(history([...honest, honest[9] as ErrandEvent]));
    expect(divergence).toMatchObject({ revision: 10, recorded: 'ErrandDone', replayed: undefined });
  });

  it('finds a history that does not begin with its start event', () => {
    expect(verify(history(honest.slice(1)))).toEqual({
      derived: 0,
      given: 0,
      open: false,
      divergence: {
        stream: 'errand-1',
        revision: 0,
        type: 'GoodsRequested',
        pointer: '/type',
        recorded: 'GoodsRequested',
        replayed: 'ErrandStarted',
      },
    });
  });

  it('takes data that pure code stumbles over for a divergence, and does not fail itself', () => {
    const broken = JSON.parse('{"type":"ErrandStarted","data":{"attempts":2}}') as ErrandEvent;
    expect(replaced(0, broken).divergence).toMatchObject({ revision: 1 });
  });
});
