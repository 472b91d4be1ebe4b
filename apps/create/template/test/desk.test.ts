import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cassette, expectIdentical } from 'redial-engine/testing';
import { oneRefund } from '../src/one-refund.js';

void test('the lead accepts what the clerk proposes, and the record follows from it', async (t) => {
  const recorded = cassette('corpus/refund.jsonl', { mode: 'replay' });
  const { redial, close, sessionId, ...refund } = await oneRefund({ default: recorded });
  t.after(close);

  assert.deepEqual(refund, { status: 'needs_human', currentState: 'closed', metaJson: { amount: 20 } });
  expectIdentical(await redial.replaySession({ sessionId }));
});
