import type { EventDefinitions } from '#lib/event-store';
import { type Event, jsonText, sha256 } from '#lib/kernel';
import type { ActivityFailure, Step, Workflow } from '../workflow.js';

type ErrandStarted = Event<'ErrandStarted', { shops: readonly string[]; attempts: number }>;
type GoodsRequested = Event<'GoodsRequested', { shop: string; attempt: number }>;
type GoodsBrought = Event<'GoodsBrought', { shop: string; goods: unknown; sha256: string }>;
type GoodsMissed = Event<'GoodsMissed', { shop: string; failure: ActivityFailure }>;
type ShopLeft = Event<'ShopLeft', { shop: string }>;
type ErrandDone = Event<'ErrandDone', { basket: readonly unknown[] }>;
type ErrandGivenUp = Event<'ErrandGivenUp', { why: string }>;
export type ErrandEvent =
  ErrandStarted | GoodsRequested | GoodsBrought | GoodsMissed | ShopLeft | ErrandDone | ErrandGivenUp;

interface Errand {
  readonly shops: readonly string[];
  readonly attempts: number;
  readonly basket: readonly unknown[];
  readonly attempt: number;
  readonly asked?: GoodsRequested;
  readonly met?: GoodsBrought | GoodsMissed;
}

/** A small workflow with all that workflows have: asks one shop after the other, again after what can be repeated, notes each. */
export const errand: Workflow<Errand, ErrandEvent> = {
  name: 'errand',
  startType: 'ErrandStarted',
  endTypes: ['ErrandDone', 'ErrandGivenUp'],
  initialState: (start) => ({ ...(start as ErrandStarted).data, basket: [], attempt: 0 }),
  evolve,
  pending: ({ asked }) => asked,
  next,
  failed: (request, failure) => ({
    type: 'GoodsMissed',
    data: { shop: (request as GoodsRequested).data.shop, failure },
  }),
  damage: (event) => {
    if (event.type !== 'GoodsBrought') return undefined;
    const { goods, sha256: recorded } = event.data;
    const replayed = sha256(jsonText(goods));
    return recorded === replayed ? undefined : { pointer: '/sha256', recorded, replayed };
  },
};

function evolve(state: Errand, event: ErrandEvent): Errand {
  const { asked, met, ...rest } = state;
  switch (event.type) {
    case 'GoodsRequested':
      return { ...rest, asked: event, attempt: event.data.attempt };
    case 'GoodsBrought':
    case 'GoodsMissed':
      return asked?.data.shop === event.data.shop ? { ...rest, met: event } : state;
    case 'ShopLeft':
      return { ...rest, ...left(state), attempt: 0 };
    default:
      return state;
  }
}

function left({ shops, basket, met }: Errand) {
  return {
    shops: shops.slice(1),
    basket: met?.type === 'GoodsBrought' ? [...basket, met.data.goods] : basket,
  };
}

function next({ shops: [shop], attempts, basket, attempt, met }: Errand): Step<ErrandEvent> {
  if (shop === undefined) return { kind: 'end', event: { type: 'ErrandDone', data: { basket } } };
  if (met?.type === 'GoodsBrought') return { kind: 'append', event: { type: 'ShopLeft', data: { shop } } };
  if (met && !(met.data.failure.retryable && attempt < attempts)) {
    return { kind: 'end', event: { type: 'ErrandGivenUp', data: { why: met.data.failure.kind } } };
  }
  return { kind: 'perform', request: { type: 'GoodsRequested', data: { shop, attempt: attempt + 1 } } };
}

export const errandEventDefinitions: EventDefinitions<ErrandEvent> = {
  ErrandStarted: { version: 1 },
  GoodsRequested: { version: 1 },
  GoodsBrought: { version: 1 },
  GoodsMissed: { version: 1 },
  ShopLeft: { version: 1 },
  ErrandDone: { version: 1 },
  ErrandGivenUp: { version: 1 },
};

/** An outcome: these goods, whatever shop was asked. */
export function brings(goods: unknown) {
  return (request: ErrandEvent): ErrandEvent => {
    const { shop } = (request as GoodsRequested).data;
    return { type: 'GoodsBrought', data: { shop, goods, sha256: sha256(jsonText(goods)) } };
  };
}

/** An outcome: nothing, for this reason. */
export function misses(failure: Partial<ActivityFailure> = {}) {
  return (request: ErrandEvent): ErrandEvent =>
    errand.failed(request, {
      kind: 'network',
      message: 'closed',
      retryable: true,
      durationMs: 1,
      ...failure,
    });
}
