import { it } from '@jest/globals';
import { given } from 'redial-engine/testing';
import { refundDesk } from '../../examples/refund-desk.js';

// #region shortest
it('the lead pays without a proposal, and says how much', () => {
  const pay = { type: 'submitArbitration', specialistId: 'lead', transitionName: 'pay' } as const;
  given(refundDesk)
    .when({ ...pay, metaJson: { amount: 20 } })
    .then([{ type: 'HumanOverrideAccepted' }, { type: 'TransitionExecuted', data: { toState: 'closed' } }]);
  given(refundDesk).when(pay).then({ rejection: 'arguments-needed' });
});
// #endregion
