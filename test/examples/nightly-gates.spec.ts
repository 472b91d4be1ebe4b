import { afterEach, expect, it } from '@jest/globals';
import { createTestEngine, scriptedModel, type TestEngine } from 'redial-engine/testing';
import { checkAll, duplicateGate } from '../../examples/nightly-gates.js';

let engine: TestEngine;
afterEach(() => engine.close());

const says = (name: string) => ({ toolCall: { name, arguments: {} } });
const pair = (second: string) => ({ first: 'R-1: 40', second });

it('invoices that no trusted model decides wait for the bookkeeper, and a batch that runs again asks nothing', async () => {
  const model = scriptedModel(['stop', 'stop', 'pay'].map(says));
  engine = await createTestEngine({ model });
  const { redial } = engine;
  await redial.createGate(duplicateGate);

  const first = [pair('R-1: 40')];
  expect(await checkAll(redial, 'monday', first)).toEqual({ pay: 0, stop: 0, waiting: 1 });
  const [session] = (await redial.listSessions({ status: 'needs_human' })).items;
  const sessionId = session?.sessionId ?? '';
  const [proposal] = (await redial.listProposals({ sessionId })).items;
  const proposalId = proposal?.proposalId ?? '';
  await redial.decide({ sessionId, specialistId: 'bookkeeper', proposalId });

  const second = [pair('R-1: 40 again'), pair('R-2: 40')];
  for (let run = 0; run < 2; run += 1)
    expect(await checkAll(redial, 'tuesday', second)).toEqual({ pay: 1, stop: 1, waiting: 0 });
  model.assertDone();
});
