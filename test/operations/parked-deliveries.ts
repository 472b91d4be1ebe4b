import { EventLog } from '#lib/event-store';
import { Redial } from '#lib/engine';
import { derivedId, randomIds, systemClock } from '#lib/kernel';
import { ReactionStream } from '#lib/reactions/core';
import type { RedialServer } from '../support/redial-server.js';
import type { Door } from './doors.js';

/** The id of a delivery. */
export function parkedId(name: string): string {
  return derivedId('00000000-0000-5000-8000-000000000000', name);
}

/** Parks events, as reactions of an application whose handlers failed: one of them of each door. */
export async function parkDeliveries(server: RedialServer, doors: readonly Door[]): Promise<void> {
  await park(server, 'booking', ['kept']);
  const redial = server.app.get(Redial);
  for (const hookId of ['kept', ...doors.map((door) => `deleted-by-${door}`)])
    await redial.registerHook(aHook(hookId));
  await park(server, 'hook-kept', ['of hook', ...doors.map((door) => `again-by-${door}`)], 'round.decided');
  for (const door of doors)
    await park(server, `booking-of-${door}`, [`retried-by-${door}`, `dropped-by-${door}`]);
}

/** A hook that is called by a test alone, which its address refuses. */
export function aHook(hookId: string) {
  const url = 'http://127.0.0.1:9/hooks';
  return { hookId, url, types: ['round.decided'], secretName: 'GIFT_HOOK_TOKEN', disabled: true } as const;
}

async function park(
  server: RedialServer,
  name: string,
  deliveries: readonly string[],
  type = 'TransitionExecuted',
): Promise<void> {
  const stream = new ReactionStream(server.app.get(EventLog), systemClock, randomIds, name);
  await stream.send({ type: 'StartReaction', data: { name } });
  for (const [revision, delivery] of deliveries.entries()) {
    const event = { type, stream: 'session-1', revision };
    const attempts = [{ at: '2026-01-02T03:04:05.000Z', error: 'The ledger is closed.' }];
    const data = { deliveryId: parkedId(delivery), ...event, attempts, life: 0 };
    await stream.send({ type: 'ParkDelivery', data });
  }
}

/** The secret of the hooks. */
export const webhooks = {
  privateAddresses: 'refuse',
  tokens: { GIFT_HOOK_TOKEN: `whsec_${Buffer.alloc(24, 7).toString('base64')}` },
} as const;

/** The inputs of the operations of reactions and hooks. */
export const reactionInputs = {
  listReactions: () => ({}),
  listParkedDeliveries: () => ({ name: 'booking', limit: 1 }),
  retryDelivery: (door: Door) => ({ name: `booking-of-${door}`, id: parkedId(`retried-by-${door}`) }),
  registerHook: (door: Door) => ({ ...aHook(`hook-of-${door}`), machineName: 'gift' }),
  listHooks: () => ({ limit: 1 }),
  getHook: () => ({ hookId: 'kept' }),
  deleteHook: (door: Door) => ({ hookId: `deleted-by-${door}` }),
  testHook: () => ({ hookId: 'kept' }),
  listHookDeliveries: () => ({ hookId: 'kept', status: 'parked', limit: 1 }),
  retryHookDelivery: (door: Door) => ({ hookId: 'kept', deliveryId: parkedId(`again-by-${door}`) }),
  dropDelivery: (door: Door) => ({ name: `booking-of-${door}`, id: parkedId(`dropped-by-${door}`) }),
};
