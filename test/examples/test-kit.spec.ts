import { expect, it } from '@jest/globals';
import { callFunction, defineWorkflow, timer } from 'redial-engine/workflow';
import { createTestEngine, given, scriptedModel, testWorkflow } from 'redial-engine/testing';
import { refundDesk } from '../../examples/refund-desk.js';

// #region engine
it('the lead is asked about what the clerk would pay', async () => {
  const pay = { toolCall: { name: 'pay', arguments: { amount: 12 } } };
  await using engine = await createTestEngine({ model: scriptedModel([pay]) });
  const { redial, model } = engine;
  await redial.defineMachine(refundDesk);
  const { sessionId } = await redial.createSession({
    machineName: 'refund-desk',
    metaJson: { text: 'Broken' },
  });
  expect(await redial.runSession({ sessionId })).toMatchObject({ status: 'needs_human' });
  model.assertDone();
});
// #endregion

// #region rules
it('the clerk proposes once in a round, and what its state offers', () => {
  const propose = { type: 'submitProposal', specialistId: 'clerk' } as const;
  const refused = { specialistId: 'clerk', transitionName: 'refuse' } as const;
  given(refundDesk)
    .when({ type: 'submitProposal', ...refused })
    .then([{ type: 'ProposalSubmitted', data: { toState: 'closed' } }]);
  given(refundDesk, [{ type: 'ProposalSubmitted', data: refused }])
    .when({ ...propose, transitionName: 'pay', metaJson: { amount: 7 } })
    .then({ rejection: 'duplicate-proposal' });
  given(refundDesk)
    .when({ ...propose, transitionName: 'close' })
    .then({ rejection: 'transition-not-offered' });
});
// #endregion

const remind = defineWorkflow('remind', {
  input: { type: 'object', properties: { invoice: { type: 'string' } }, required: ['invoice'] },
  uses: { functions: ['mail'] },
  versions: {
    1: function* ({ input }: { input: { readonly invoice: string } }) {
      yield* timer('PT48H');
      return yield* callFunction('mail', input);
    },
  },
});

// #region workflow
it('a reminder is sent after two days', async () => {
  const mail = ({ invoice }: { invoice: string }) => `sent ${invoice}`;
  const { status, result } = await testWorkflow(
    remind,
    { input: { invoice: 'R-7' }, functions: { mail } },
    async ({ clock }) => {
      await clock.advance('PT49H');
    },
  );
  expect([status, result]).toEqual(['completed', 'sent R-7']);
});
// #endregion
