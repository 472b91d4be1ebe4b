import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestEngine, type TestEngine } from './public/testing.js';
import { type Scripted, scriptedModel } from './public/kit/scripted-model.js';
import type { MachineInputOfCode } from '#lib/decisions/registration';

let [chosen, judged] = [0, 0];

/** Two proposers and an arbiter, each a function. */
const refunds = (transitionName = 'approve'): MachineInputOfCode => ({
  machineName: 'refunds',
  initialState: 'triage',
  goalState: 'closed',
  specialists: [
    {
      role: 'arbiter',
      specialistId: 'judge',
      strategyFnName: ({ proposals }) => {
        judged += 1;
        return { consensusReached: true, winningProposalId: proposals[0]?.proposalId ?? '' };
      },
    },
  ],
  states: {
    triage: {
      transitions: { approve: 'closed', refuse: 'closed' },
      specialists: [
        {
          role: 'proposer',
          specialistId: 'rule',
          strategyFnName: ({ metaJson }) => {
            chosen += 1;
            return { transitionName, reasoning: `Order ${JSON.stringify(metaJson)}` };
          },
        },
        {
          role: 'proposer',
          specialistId: 'clerk',
          modelId: 'm',
          contextFnName: ({ currentState }) => `We are in ${currentState}.`,
        },
      ],
    },
    closed: {},
  },
});

describe('0.2-F1: functions in the place of names', () => {
  let engine: TestEngine;

  beforeEach(async () => {
    [chosen, judged] = [0, 0];
    engine = await createTestEngine({
      model: scriptedModel([{ json: { transitionName: 'refuse', toState: 'closed', reasoning: '' } }]),
    });
  });

  afterEach(() => engine.close());

  it('stand in machines, are known by machine and specialist, and are not called again by a replay', async () => {
    const { redial, model } = engine;
    await redial.defineMachine(refunds());
    const { definition } = await redial.getMachine({ machineName: 'refunds' });
    expect(definition.specialists).toMatchObject([{ strategyFnName: 'refunds/judge' }]);
    expect(definition.states['triage']?.specialists).toMatchObject([
      { strategyFnName: 'refunds/rule' },
      { contextFnName: 'refunds/clerk' },
    ]);
    const { sessionId } = await redial.createSession({ machineName: 'refunds', metaJson: { order: 7 } });
    const proposed = await redial.submitProposal({ sessionId, specialistId: 'rule' });
    expect(proposed).toMatchObject({ transitionName: 'approve', reasoning: 'Order {"order":7}' });
    await redial.submitProposal({ sessionId, specialistId: 'clerk' });
    expect(JSON.stringify(model.requests[0]?.body)).toContain('We are in triage.');
    expect(await redial.submitArbitration({ sessionId })).toMatchObject({ executed: true });
    expect(await redial.replaySession({ sessionId })).toMatchObject({ identical: true });
    expect([chosen, judged]).toEqual([1, 1]);
  });

  it('give the same version when the machine is defined again, with the functions of now', async () => {
    const { redial } = engine;
    await redial.defineMachine(refunds());
    expect(await redial.defineMachine(refunds('refuse'))).toMatchObject({ version: 1 });
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    const proposed = await redial.submitProposal({ sessionId, specialistId: 'rule' });
    expect(proposed).toMatchObject({ transitionName: 'refuse' });
  });

  it('stay the earlier ones when a machine is refused', async () => {
    const { redial } = engine;
    await redial.defineMachine(refunds());
    const broken = { ...refunds('refuse'), initialState: 'nowhere' };
    await expect(redial.defineMachine(broken)).rejects.toThrow('nowhere');
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    const proposed = await redial.submitProposal({ sessionId, specialistId: 'rule' });
    expect(proposed).toMatchObject({ transitionName: 'approve' });
  });

  it('are one for each specialist', async () => {
    const clerk = (transitionName: string) =>
      ({ role: 'proposer', specialistId: 'clerk', strategyFnName: () => ({ transitionName }) }) as const;
    const state = (transitionName: string) => ({
      transitions: { go: 'b' },
      specialists: [clerk(transitionName)],
    });
    const machine = {
      machineName: 'two',
      initialState: 'a',
      goalState: 'b',
      states: { a: state('go'), c: state('go'), b: {} },
    };
    await expect(engine.redial.defineMachine(machine)).rejects.toThrow('[TwoFunctions] specialist two/clerk');
  });

  it('stand in registrations, too', async () => {
    const { redial } = engine;
    const states = { triage: { transitions: { go: 'closed' } }, closed: {} };
    const bare = { machineName: 'bare', initialState: 'triage', goalState: 'closed', states };
    await redial.defineMachine(bare);
    const rule = {
      machineName: 'bare',
      specialistId: 'rule',
      strategyFnName: () => ({ transitionName: 'go' }),
    };
    expect(await redial.registerProposer(rule)).toMatchObject({ strategyFnName: 'bare/rule' });
    const judge = {
      machineName: 'bare',
      specialistId: 'judge',
      strategyFnName: () => ({ consensusReached: false }),
    };
    expect(await redial.registerArbiter(judge)).toMatchObject({ strategyFnName: 'bare/judge' });
    const { sessionId } = await redial.createSession({ machineName: 'bare' });
    expect(await redial.submitProposal({ sessionId, specialistId: 'rule' })).toMatchObject({
      transitionName: 'go',
    });
    expect(await redial.submitArbitration({ sessionId })).toMatchObject({ executed: false });
  });

  it('stand in agents and tools, are known by their path, stay if a changed agent is refused, and are not called again by a replay', async () => {
    const calls: string[] = [];
    const speak: Scripted = ({ body }) =>
      JSON.stringify(body['response_format']).includes('"respond"')
        ? { json: { message: 'Hello' } }
        : { json: {} };
    await engine.close();
    engine = await createTestEngine({ model: scriptedModel([speak, speak, speak]) });
    const { redial } = engine;
    const tool = await redial.registerTool({
      toolId: 'greet',
      description: 'Greets',
      parameters: { type: 'object' },
      execution: { fnName: () => 'Good day' },
    });
    expect(tool.execution).toEqual({ fnName: 'tools/greet/execution' });
    await redial.defineAgent(host(calls));
    const broken = { ...host([]), flows: [...host([]).flows, { title: 'Talk', steps: [] }] };
    await expect(redial.defineAgent(broken)).rejects.toMatchObject({ rejection: { code: 'invalid-agent' } });
    const { definition } = await redial.getAgent({ agentName: 'host' });
    expect(definition.flows).toMatchObject([
      {
        hooks: { onEnter: { fn: 'host/flows/Talk/hooks/onEnter' } },
        steps: [
          { skip: [{ fn: 'host/flows/Talk/steps/0/skip' }] },
          { hooks: { prepare: { fn: 'host/flows/Talk/steps/say/hooks/prepare' } } },
        ],
      },
    ]);
    const { conversationId } = await redial.startConversation({ agentName: 'host' });
    expect(await redial.sendMessage({ conversationId, text: 'Hi' })).toMatchObject({ message: 'Hello' });
    expect(calls).toEqual(['entered', 'skipped', 'prepared']);
    expect(await redial.replayConversation({ conversationId })).toMatchObject({ identical: true });
    expect(calls).toHaveLength(3);
  });
});

/** An agent with a function in each kind of place, which tell that they were called. */
function host(calls: string[]) {
  const tell = (what: string, answer?: unknown) => () => {
    calls.push(what);
    return answer;
  };
  return {
    agentName: 'host',
    model: 'm',
    schema: { type: 'object' },
    flows: [
      {
        title: 'Talk',
        hooks: { onEnter: tell('entered') },
        steps: [
          { prompt: 'Never', skip: tell('skipped', true) },
          { id: 'say', prompt: 'Talk', hooks: { prepare: { fn: tell('prepared') } } },
        ],
      },
    ],
  } as const;
}
