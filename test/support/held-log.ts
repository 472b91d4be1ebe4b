import { expect } from '@jest/globals';
import { ProjectionRunner } from '#lib/read-models';
import type { ReactingEngine } from './reacting.js';

/** A log that waits for a claim reacts to nothing: after a start with a decision, after one more, and while time passes. */
export async function expectHeld(start: () => Promise<ReactingEngine>, sessionId: string): Promise<void> {
  for (const later of ['first', 'second'] as const) {
    const held = await start();
    if (later === 'first') await held.step(sessionId, 'book');
    await held.app.get(ProjectionRunner).caughtUpWithHead(20_000);
    await held.time.pass(60_000);
    expect(held.received).toEqual([]);
    await held.stop();
  }
}
