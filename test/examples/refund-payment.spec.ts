import { expect, it } from '@jest/globals';
import { createTestEngine } from 'redial-engine/testing';
import { Bank, RefundPayment } from '../../examples/refund-payment.js';

class ListingBank extends Bank {
  readonly paid: { readonly sessionId: string; readonly key: string }[] = [];

  override async pay(sessionId: string, key: string): Promise<void> {
    this.paid.push({ sessionId, key });
  }
}

it('each refund that is approved is paid, and one that is refused is not', async () => {
  const bank = new ListingBank();
  const { redial, idle, close } = await createTestEngine({ reactions: [new RefundPayment(bank)] });
  await redial.defineMachine({
    machineName: 'refunds',
    initialState: 'asked',
    goalState: 'approved',
    states: { asked: { transitions: { approve: 'approved', refuse: 'refused' } }, refused: {}, approved: {} },
  });
  const decided = async (transitionName: string, toState: string) => {
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    await redial.executeTransition({ sessionId, transitionName, toState });
    return sessionId;
  };
  await decided('refuse', 'refused');
  const approved = await decided('approve', 'approved');
  await idle();
  expect(bank.paid).toEqual([{ sessionId: approved, key: expect.any(String) }]);
  await close();
});
