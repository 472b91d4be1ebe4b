import { expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { Redial } from 'redial-engine';
import { expectIdentical } from 'redial-engine/testing';
import { BoardController, boardModule } from '../../examples/decision-board.js';

it('the controller answers the rows that the log of this process gives', async () => {
  const strategies = { rule: () => ({ transitionName: 'pay' }) };
  const imports = [boardModule({ storage: 'memory', strategies })];
  const app = await Test.createTestingModule({ imports }).compile();
  await app.init();
  const redial = app.get(Redial);
  await redial.defineMachine({
    machineName: 'refunds',
    initialState: 'asked',
    goalState: 'closed',
    specialists: [{ role: 'proposer', specialistId: 'rule', strategyFnName: 'rule' }],
    states: { asked: { transitions: { pay: 'closed', refuse: 'closed' } }, closed: {} },
  });
  for (let letter = 0; letter < 2; letter += 1) {
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    await redial.runSession({ sessionId });
    expectIdentical(await redial.replaySession({ sessionId }));
  }
  expect(await app.get(BoardController).list()).toEqual([
    { transition: 'pay', decided_by: 'models', decisions: 2 },
  ]);
  await app.close();
});
