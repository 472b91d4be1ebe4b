import { expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { startEngine } from '../support/engine.js';

const machine = {
  machineName: 'turns',
  initialState: 'left',
  goalState: 'over',
  states: {
    left: { prompt: 'Turn?', transitions: { turn: 'right', stop: 'over' } },
    right: { prompt: 'Turn?', transitions: { turn: 'left', stop: 'over' } },
    over: {},
  },
  specialists: [
    { role: 'proposer', specialistId: 'model', modelId: 'gpt-4o-mini[tools=no]', contextTemplate: 'Turn?' },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
  ],
};

it('the causes of a decision that was copied are those that it has where it happened, each once', async () => {
  const engine = await startEngine([text({ transitionName: 'turn', toState: 'right', reasoning: 'Now.' })]);
  try {
    const { redial } = engine;
    await redial.defineMachine(machine);
    const { sessionId } = await redial.createSession({ machineName: 'turns' });
    await redial.submitProposal({ sessionId, specialistId: 'model' });
    await redial.submitArbitration({ sessionId });
    const { revision } = await redial.getSession({ sessionId });
    const fork = await redial.forkSession({ sessionId, atRevision: revision });
    const causesIn = async (id: string) =>
      (await redial.whySession({ sessionId: id, revision })).nodes.map(({ type, revision: at, stream }) => [
        type,
        at,
        stream.replace(id, 'of the session'),
      ]);
    const causes = await causesIn(fork.sessionId);
    expect(causes).toEqual(await causesIn(sessionId));
    expect(causes.map(([type]) => type)).toContain('WorkflowStarted');
  } finally {
    await engine.stop();
  }
});

it('the causes of what a fork decides have the fork, which began the round again under what it overrides', async () => {
  const engine = await startEngine([text({ transitionName: 'turn', toState: 'right', reasoning: 'Now.' })]);
  try {
    const { redial } = engine;
    await redial.defineMachine(machine);
    const { sessionId: parent, revision: atRevision } = await redial.createSession({ machineName: 'turns' });
    const overrides = { metaJson: { amount: 1_000 } };
    const { sessionId } = await redial.forkSession({ sessionId: parent, atRevision, overrides });
    await redial.submitProposal({ sessionId, specialistId: 'model' });
    await redial.submitArbitration({ sessionId });
    const { nodes } = await redial.whySession({ sessionId });
    const own = nodes.filter(({ stream }) => stream.endsWith(`session-${sessionId}`));
    expect(own.toSorted((a, b) => a.revision - b.revision).map(({ type }) => type)).toEqual([
      'SessionCreated',
      'SessionForked',
      'ProposalSolicited',
      'ProposalSubmitted',
      'ConsensusReached',
      'TransitionExecuted',
    ]);
  } finally {
    await engine.stop();
  }
});
