import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { completion, text } from '#lib/activities/testing';
import { askingFor } from '#lib/workflow/testing';
import { runScenarios } from '../replay/run-scenarios.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { RedialServer } from '../support/redial-server.js';
import { reviewedRefunds } from '../support/reviewed-refunds.js';
import { untilEvent } from '../support/until-event.js';

const writer = {
  role: 'proposer',
  specialistId: 'writer',
  modelId: 'gpt-4o-mini[tools=no]',
  contextTemplate: 'The other',
};
const machine = { ...reviewedRefunds, specialists: [...reviewedRefunds.specialists, writer] };

interface Graph {
  readonly nodes: readonly { readonly id: string; readonly type: string; readonly summary: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly relation: string }[];
}

/** Ids of all nodes that are reached from the first one. */
function reached({ nodes, edges }: Graph): readonly string[] {
  const seen = new Set([nodes[0]?.id ?? '']);
  for (const id of seen) for (const { from, to } of edges) if (from === id) seen.add(to);
  return [...seen].toSorted();
}

const sorted = ({ nodes }: Graph) => nodes.map(({ id }) => id).toSorted();
const typesOf = ({ nodes }: Graph) => nodes.map(({ type }) => type);

/** The model is asked for one transition after another. */
async function play(engine: TestEngine, transitions: readonly string[]): Promise<string> {
  const { redial } = engine;
  await redial.defineMachine(machine);
  const { sessionId } = await redial.createSession({ machineName: 'refunds', metaJson: { text: 'broken' } });
  for (const _ of transitions) {
    for (const specialistId of ['clerk', 'writer']) await redial.submitProposal({ sessionId, specialistId });
    await redial.submitArbitration({ sessionId });
  }
  return sessionId;
}

const TARGETS: { readonly [name: string]: string } = { review: 'review', approve: 'closed', deny: 'closed' };

/** Two proposers give the same choice in each round. */
const script = (...transitions: readonly string[]) =>
  transitions.flatMap((transitionName) => {
    const decision = { transitionName, toState: TARGETS[transitionName], reasoning: 'So it is.' };
    return [text(decision), text(decision)];
  });

describe('why a session decided', () => {
  let engine: TestEngine;
  let sessionId: string;

  beforeAll(async () => {
    engine = await startEngine(script('review', 'approve'));
    sessionId = await play(engine, ['review', 'approve']);
  });
  afterAll(() => engine.stop());

  it('begins at the last decision, and leads over recorded causation back to the exact calls and the creation', async () => {
    const graph = await engine.redial.whySession({ sessionId });
    expect(graph.nodes[0]).toMatchObject({
      type: 'TransitionExecuted',
      summary: expect.stringContaining('approve'),
    });
    for (const type of [
      'SessionCreated',
      'ProposalSubmitted',
      'ConsensusReached',
      'LlmCallRequested',
      'LlmCallCompleted',
    ])
      expect(typesOf(graph)).toContain(type);
    expect(reached(graph)).toEqual(sorted(graph));
  });

  it('every event of the session has its causes before it, and no call of another proposer', async () => {
    const { items } = await engine.redial.listSessionEvents({ sessionId, limit: 500 });
    const own = items.filter(({ stream }) => stream.endsWith(sessionId));
    const position = new Map(items.map((one) => [`${one.stream}@${one.revision}`, one.position]));
    for (const { revision, type, position: at } of own) {
      const graph = await engine.redial.whySession({ sessionId, revision });
      expect(graph.nodes[0]).toMatchObject({ type, revision });
      expect(reached(graph)).toEqual(sorted(graph));
      expect(
        graph.nodes
          .map(({ id }) => position.get(id) ?? '')
          .toSorted()
          .at(-1),
      ).toBe(at);
      expect(typesOf(graph)).toContain('SessionCreated');
    }
    const [proposed] = own.filter(({ type }) => type === 'ProposalSubmitted');
    const graph = await engine.redial.whySession({ sessionId, revision: proposed?.revision ?? -1 });
    expect(typesOf(graph).filter((type) => type === 'LlmCallRequested')).toHaveLength(1);
  });

  it('of an event that is not there, or not there yet, is unknown', async () => {
    for (const query of [{ revision: 400 }, { revision: 3, at: '2' }])
      await expect(engine.redial.whySession({ sessionId, ...query })).rejects.toThrow('UnknownRevision');
    const nobody = '00000000-0000-4000-8000-000000000000';
    await expect(engine.redial.whySession({ sessionId: nobody })).rejects.toThrow('UnknownSession');
  });
});

describe.each(runScenarios.map((scenario) => [scenario.name, scenario] as const))(
  'why the %s of a golden history ended so',
  (_, { script: replies, functions, play: playRun }) => {
    it('leads back to its calls and its start', async () => {
      const engine = await startEngine(replies, { functions });
      try {
        const subject = await playRun(engine.redial);
        const graph = await ('conversationId' in subject
          ? engine.redial.whyConversation(subject)
          : engine.redial.whyRun({ runId: subject.runId }));
        expect(reached(graph)).toEqual(sorted(graph));
        expect(typesOf(graph)).toContain(
          'conversationId' in subject ? 'ConversationStarted' : 'WorkflowStarted',
        );
        expect(typesOf(graph)).toContain('LlmCallCompleted');
      } finally {
        await engine.stop();
      }
    });
  },
);

describe('why a run ended', () => {
  let server: RedialServer;

  beforeAll(async () => {
    const ask = (name: string) => ({ id: name, type: 'function', function: { name, arguments: '{}' } });
    const both = completion({ content: null, tool_calls: [ask('one'), ask('two')] }, 'tool_calls');
    server = await RedialServer.start({
      script: [both, text('Done.'), text('Done, too.')],
      options: {
        workflows: [askingFor({ type: 'boolean' })],
        functions: { one: () => 1, two: () => 2 },
      },
    });
  });
  afterAll(() => server.stop());

  const why = async (runId: string) => (await server.get(`/v1/runs/${runId}/why`)).body as Graph;

  it('leads to the answer of a person whose question has times', async () => {
    const input = { dueIn: 'PT1H' };
    const started = await server.post('/v1/runs', { workflow: 'asking', input, waitMs: 10_000 });
    const { runId } = started.body as { runId: string };
    await server.post('/v1/people', { personId: 'ann', role: 'reviewer' });
    const { body } = await server.get(`/v1/tasks?runId=${runId}`);
    const [{ taskId }] = body.items as [{ taskId: string }];
    const answer = { choice: 'answer', payload: true, actAs: 'ann' };
    expect(await server.post(`/v1/tasks/${taskId}/answer`, answer)).toMatchObject({ status: 200 });
    await untilEvent(server.log, ({ type, stream }) => type === 'WorkflowEnded' && stream.endsWith(runId));
    const graph = await why(runId);
    expect(typesOf(graph)).toEqual(expect.arrayContaining(['SignalReceived', 'SignalAwaited']));
    expect(reached(graph)).toEqual(sorted(graph));
  });

  it('leads to each of the calls that were made together, and in a fork to those before it', async () => {
    for (const toolId of ['one', 'two']) {
      const called = { execution: { fnName: toolId }, policy: { readOnly: true, concurrencySafe: true } };
      const tool = { toolId, description: toolId, parameters: { type: 'object' }, ...called };
      expect(await server.post('/v1/tools', tool)).toMatchObject({ status: 201 });
    }
    const prompts = { systemPrompt: 'You help.', userPrompt: 'Help.', model: 'gpt-4o-mini' };
    const input = { ...prompts, tools: ['one', 'two'], concurrency: 2 };
    const started = await server.post('/v1/runs', { workflow: 'planner', input, waitMs: 10_000 });
    const { runId, revision } = started.body as { runId: string; revision: number };
    const calls = (graph: Graph) => typesOf(graph).filter((type) => type === 'ToolCallCompleted');
    expect(calls(await why(runId))).toHaveLength(2);
    // Before the last reply of the model.
    const forked = await server.post(`/v1/runs/${runId}/forks`, { atRevision: revision - 2 });
    const { runId: fork } = forked.body as { runId: string };
    await untilEvent(server.log, ({ type, stream }) => type === 'WorkflowEnded' && stream.endsWith(fork));
    const graph = await why(fork);
    expect(typesOf(graph)).toContain('WorkflowForked');
    expect(calls(graph)).toHaveLength(2);
    expect(reached(graph)).toEqual(sorted(graph));
  });
});

describe('why and diff over HTTP', () => {
  let server: RedialServer;

  beforeAll(async () => {
    server = await RedialServer.start({});
  });
  afterAll(() => server.stop());

  it('is JSON, or a flowchart where only that is accepted, in which texts from outside are quoted', async () => {
    const bare = { ...machine, specialists: undefined };
    const created = await server.post('/v1/sessions', { machine: bare, metaJson: { text: '"]; click' } });
    const { sessionId } = created.body as { sessionId: string };
    const json = await server.get(`/v1/sessions/${sessionId}/why`);
    expect(json).toMatchObject({ status: 200, body: { nodes: [{ type: 'SessionCreated' }], edges: [] } });
    const url = `${server.url}/v1/sessions/${sessionId}/why`;
    const diagram = await fetch(url, { headers: { accept: 'text/vnd.mermaid' } });
    expect(diagram.headers.get('content-type')).toContain('text/vnd.mermaid');
    const lines = (await diagram.text()).split('\n');
    expect(lines[0]).toBe('flowchart TD');
    expect(lines[1]).toMatch(/^ {2}n0\["[^"]*"\]$/);
  });
});

describe('the difference of two sessions', () => {
  it('is none for the same decisions, whatever their ids and times; else the members that differ, round by round', async () => {
    const engine = await startEngine([
      ...script('review', 'approve'),
      ...script('review', 'approve'),
      ...script('deny'),
    ]);
    try {
      const [first, same, other] = [
        await play(engine, ['review', 'approve']),
        await play(engine, ['review', 'approve']),
        await play(engine, ['deny']),
      ];
      const { redial } = engine;
      const none = await redial.diffSessions({ sessionId: first, with: same });
      expect(none).toMatchObject({ same: true, steps: [{ changes: [] }, { changes: [] }] });
      const some = await redial.diffSessions({ sessionId: first, with: other });
      expect(some.same).toBe(false);
      expect(some.steps[0]?.changes).toContainEqual({ pointer: '/transitionName', a: 'review', b: 'deny' });
      expect(some.steps[1]).toEqual({
        a: expect.objectContaining({ transitionName: 'approve' }),
        changes: [{ pointer: '', a: some.steps[1]?.a, b: null }],
      });
    } finally {
      await engine.stop();
    }
  });
});
