// The shortest useful test of a machine, for each runner: its rules, and a model that proposes.
const clerk = { role: 'proposer', specialistId: 'clerk', modelId: 'm', contextTemplate: 'An order' };

export const machine = {
  machineName: 'refunds',
  initialState: 'asked',
  goalState: 'closed',
  specialists: [clerk],
  states: { asked: { transitions: { pay: 'closed', refuse: 'closed' } }, closed: {} },
};

/** @returns the state after the model has proposed, and the proposal was taken */
export async function decided({ createTestEngine, expectIdentical, scriptedModel }) {
  const reply = { json: { transitionName: 'pay', toState: 'closed', reasoning: 'Broken' } };
  const { redial, model, close } = await createTestEngine({ model: scriptedModel([reply]) });
  try {
    await redial.defineMachine(machine);
    const { sessionId, currentState } = await redial.runSession({ machineName: 'refunds' });
    model.assertDone();
    expectIdentical(await redial.replaySession({ sessionId }));
    return currentState;
  } finally {
    await close();
  }
}
