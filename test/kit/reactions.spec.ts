import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { OnRedial, type ReactionDelivery } from '#lib/engine';
import type { RecordedEvent } from '#lib/kernel';
import { createTestEngine } from '../../libs/engine/public/testing.js';
import { orders } from '../support/reacting.js';

class Ledger {
  readonly booked: string[] = [];

  @OnRedial('TransitionExecuted', { name: 'ledger' })
  book({ data, metadata }: RecordedEvent, { key }: ReactionDelivery): void {
    const { toState } = data as { readonly toState: string };
    this.booked.push(`${metadata.correlationId} ${toState} ${typeof key}`);
  }
}

describe('a test engine with reactions', () => {
  it('calls them with what happens in the test', async () => {
    const ledger = new Ledger();
    const { redial, idle, close } = await createTestEngine({ reactions: [ledger] });
    await redial.defineMachine(orders);
    const { sessionId } = await redial.createSession({ machineName: 'orders' });
    await redial.executeTransition({ sessionId, transitionName: 'pay', toState: 'paid' });
    await idle();
    expect(ledger.booked).toEqual([`${sessionId} paid string`]);
    await close();
  });

  it('gives them what is about a subject, too', async () => {
    const ledger = new Ledger();
    const masterKey = randomBytes(32).toString('base64');
    const { redial, idle, close } = await createTestEngine({ reactions: [ledger], masterKey });
    await redial.defineMachine(orders);
    const { sessionId } = await redial.createSession({ machineName: 'orders', subject: 'customer-42' });
    await redial.executeTransition({ sessionId, transitionName: 'pay', toState: 'paid' });
    await idle();
    expect(ledger.booked).toEqual([`${sessionId} paid string`]);
    await close();
  });
});
