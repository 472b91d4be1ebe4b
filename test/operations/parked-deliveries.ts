import { EventLog } from '#lib/event-store';
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
  for (const door of doors)
    await park(server, `booking-of-${door}`, [`retried-by-${door}`, `dropped-by-${door}`]);
}

async function park(server: RedialServer, name: string, deliveries: readonly string[]): Promise<void> {
  const stream = new ReactionStream(server.app.get(EventLog), systemClock, randomIds, name);
  await stream.send({ type: 'StartReaction', data: { name } });
  for (const [revision, delivery] of deliveries.entries()) {
    const event = { type: 'TransitionExecuted', stream: 'session-1', revision };
    const attempts = [{ at: '2026-01-02T03:04:05.000Z', error: 'The ledger is closed.' }];
    await stream.send({ type: 'ParkDelivery', data: { deliveryId: parkedId(delivery), ...event, attempts } });
  }
}
