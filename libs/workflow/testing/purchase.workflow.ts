import type { ActivityEvent } from '../activity/activity.js';
import type { Event, Json, JsonObject } from '#lib/kernel';
import type { RuntimeEvent } from '../runtime.events.js';
import type { Rules, Seen, Step, Workflow } from '../workflow.js';

type PriceChecked = Event<'PriceChecked', { readonly price: number }>;
interface Purchase {
  readonly item: string;
  readonly quote?: JsonObject;
  readonly price?: number;
  readonly decision?: Json;
}

/** A sample with each kind of step but a child: a quote, a fact that follows, a person with a time-out, an end. */
const rules: Rules<Purchase, PriceChecked> = {
  input: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
  initialState: ({ data }) => ({ item: (data.input as { item: string }).item }),
  evolve,
  next,
};

export const purchase: Workflow<Purchase, PriceChecked> = {
  name: 'purchase',
  events: { PriceChecked: { version: 1 } },
  versions: { 1: rules },
};

function evolve(
  state: Purchase,
  { type, data }: Seen<PriceChecked | RuntimeEvent | ActivityEvent>,
): Purchase {
  if (type === 'EchoCompleted' || type === 'EchoFailed') return { ...state, quote: data };
  if (type === 'PriceChecked') return { ...state, price: Number(data.price) };
  if (type === 'SignalReceived') return { ...state, decision: (data as { payload: Json }).payload };
  return type === 'TimerFired' ? { ...state, decision: 'timeout' } : state;
}

function next({ item, quote, price, decision }: Purchase): readonly Step<PriceChecked>[] {
  if (!quote) return [{ do: 'call', id: 'quote#1', activity: 'echo', input: { item } }];
  if ('failure' in quote) return [{ do: 'fail', failure: { kind: 'no-quote', message: 'No quote came' } }];
  if (price === undefined)
    return [{ do: 'record', event: { type: 'PriceChecked', data: { price: item.length } } }];
  if (decision !== undefined) return [{ do: 'end', result: { item, price, decision } }];
  const prompt = { item, price };
  return [{ do: 'await', id: 'approval', signal: 'approve', prompt, timeoutMs: 86_400_000 }];
}
