import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { httpError, ScriptedLlmServer, text, toolCall } from '#lib/activities/testing';
import { Redial } from './redial.js';
import { RedialModule } from './module/redial.module.js';
import type { SessionLogEvent } from '#lib/decisions/driving';

const machine = {
  machineName: 'refunds',
  initialState: 'triage',
  goalState: 'closed',
  states: {
    triage: {
      prompt: 'What should happen with this request?',
      transitions: {
        approve: {
          target: 'closed',
          description: 'Pay the money back',
          parameters: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
        },
        escalate: 'review',
      },
    },
    review: { transitions: { close: 'closed' } },
    closed: {},
  },
};

const clerk = {
  specialistId: 'clerk',
  machineName: 'refunds',
  contextTemplate: 'Request: {{metaJson.text}}',
  modelId: 'gpt-4o-mini',
};

/** Compiles only where the type of an event says the members of its data. */
function shownChoice(event: SessionLogEvent): readonly string[] {
  switch (event.type) {
    case 'ProposalSubmitted':
      return [`${event.data.specialistId}: ${event.data.transitionName}`];
    case 'FallbackTaken':
      // @ts-expect-error -- a member of another event
      void event.data.transitionName;
      return 'to' in event.data ? [`${event.data.from} to ${event.data.to}: ${event.data.reason}`] : [];
    default:
      return [];
  }
}

describe('Redial', () => {
  let llm: ScriptedLlmServer;
  let app: INestApplicationContext;
  let redial: Redial;

  let callTimeoutMs: number;

  async function start(...replies: Parameters<ScriptedLlmServer['enqueue']>): Promise<void> {
    llm = await ScriptedLlmServer.start([...replies]);
    const options = {
      storage: 'memory' as const,
      llm: { apiKey: 'sk-canary-123456', baseUrl: llm.baseUrl, callTimeoutMs, maxAttempts: 1 },
    };
    app = await NestFactory.createApplicationContext(RedialModule.forRoot(options), {
      logger: ['error', 'warn'],
    });
    redial = app.get(Redial);
    await redial.defineMachine(machine);
    await redial.registerProposer(clerk);
  }

  beforeEach(() => {
    callTimeoutMs = 20_000;
  });

  afterEach(async () => {
    await app.close();
    await llm.close();
  });

  it('takes a tool call as the proposal, executes it, and replays the session identically', async () => {
    await start(toolCall('approve', { amount: 12 }, { usage: { prompt_tokens: 40, completion_tokens: 5 } }));
    const session = await redial.createSession({ machineName: 'refunds', metaJson: { text: 'Broken cup' } });
    const proposal = await redial.submitProposal({ sessionId: session.sessionId, specialistId: 'clerk' });
    expect(proposal).toMatchObject({
      transitionName: 'approve',
      toState: 'closed',
      metaJson: { amount: 12 },
      status: 'open',
    });
    const { sessionId } = session;
    const { proposalId } = proposal;
    const done = await redial.executeTransition({
      sessionId,
      transitionName: 'approve',
      toState: 'closed',
      proposalId,
    });
    expect(done).toMatchObject({
      status: 'done',
      currentState: 'closed',
      history: [{ metaJson: { amount: 12 } }],
    });
    expect(await redial.getSession({ sessionId })).toEqual(done);
    expect(await redial.getSessionAt({ sessionId, revision: done.revision })).toEqual(done);
    const { items } = await redial.listSessionEvents({ sessionId });
    expect(items.map(({ type }) => type)).toEqual([
      'SessionCreated',
      'ProposalSolicited',
      'WorkflowStarted',
      'LlmCallRequested',
      'LlmCallCompleted',
      'WorkflowEnded',
      'ProposalSubmitted',
      'TransitionExecuted',
    ]);
    const report = await redial.replaySession({ sessionId });
    expect(report).toMatchObject({
      identical: true,
      streamsChecked: 2,
      eventsChecked: 6,
      eventsTaken: 2,
      open: 0,
    });
    expect((await redial.listLlmCallsOfSession({ sessionId })).items).toMatchObject([
      { outcome: 'toolCall', rung: 'tools' },
    ]);
  });

  it('falls back to a text call, and says so in the log', async () => {
    await start(
      text('I would escalate.'),
      text('{"transitionName":"escalate","toState":"review","reasoning":"unsure"}'),
    );
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    const proposal = await redial.submitProposal({ sessionId, specialistId: 'clerk' });
    expect(proposal).toMatchObject({ transitionName: 'escalate', reasoning: 'unsure' });
    expect(await redial.replaySession({ sessionId })).toMatchObject({ identical: true });
  });

  it('X-L4: events are told apart by their type, and definitions are typed', async () => {
    await start(text('I would escalate.'), text('{"transitionName":"escalate","toState":"review"}'));
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    await redial.submitProposal({ sessionId, specialistId: 'clerk' });
    const { items } = await redial.listSessionEvents({ sessionId });
    expect(items.flatMap(shownChoice)).toEqual([
      'tools to decision: no-tool-call',
      'decision to text: not-json',
      'clerk: escalate',
    ]);
    // @ts-expect-error -- a machine without states
    const stateless = redial.defineMachine({ machineName: 'm', initialState: 'a', goalState: 'a' });
    await expect(stateless).rejects.toThrow('states');
    const states = { triage: { transitions: { go: 1 } } };
    // @ts-expect-error -- a target that is not text
    const untargeted = redial.defineMachine({ ...machine, states });
    await expect(untargeted).rejects.toThrow('/states/triage/transitions/go');
  });

  it('repeats a failed proposal under its key as the same failure, without a new call', async () => {
    await start(httpError(500, 'down'));
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    const ask = () => redial.submitProposal({ sessionId, specialistId: 'clerk' }, { idempotencyKey: 'k1' });
    const first = await ask().catch((error: unknown) => error);
    const second = await ask().catch((error: unknown) => error);
    expect(first).toMatchObject({
      name: 'ProposerFailed',
      failure: { kind: 'http-error', upstreamStatus: 500 },
    });
    expect(second).toEqual(first);
    expect(llm.requests).toHaveLength(1);
  });

  it('gives the tokens of the humans that a machine declares, again for the same key, and stores only hashes', async () => {
    await start();
    const staffed = {
      ...machine,
      machineName: 'staffed',
      specialists: [{ role: 'proposer', specialistId: 'boss', isHuman: true }],
    };
    const define = () => redial.defineMachine(staffed, { idempotencyKey: 'define' });
    const { actorTokens } = await define();
    expect(actorTokens).toEqual({ boss: expect.any(String) });
    expect((await define()).actorTokens).toEqual(actorTokens);
    const { sessionId } = await redial.createSession({ machineName: 'staffed' });
    const choice = { sessionId, specialistId: 'boss', transitionName: 'escalate' };
    const wrong = redial.submitProposal(choice, { proof: { actorToken: 'made up' } });
    await expect(wrong).rejects.toMatchObject({ rejection: { rejected: 'unauthorized' } });
    const right = await redial.submitProposal(choice, { proof: { actorToken: actorTokens?.['boss'] ?? '' } });
    expect(right).toMatchObject({ isHuman: true, transitionName: 'escalate' });
    const { items } = await redial.listSessionEvents({ sessionId });
    expect(items.at(-1)).toMatchObject({ type: 'ProposalSubmitted', metadata: { actor: 'boss' } });
  });

  it('judges a key before anything that the body names', async () => {
    await start();
    await redial.createSession({ machineName: 'refunds' }, { idempotencyKey: 'k' });
    const other = redial.createSession({ machineName: 'nobody-defined-this' }, { idempotencyKey: 'k' });
    await expect(other).rejects.toMatchObject({ rejection: { code: 'idempotency-key-reused' } });
  });

  it('lets nothing into the log that types would forbid', async () => {
    await start();
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    const odd = {
      sessionId,
      transitionName: 'escalate',
      toState: 'review',
      ...({ reasoning: 42, metaJson: [1] } as object),
    };
    await expect(redial.executeTransition(odd)).rejects.toMatchObject({
      rejection: { rejected: 'malformed', problems: [{ path: '/reasoning' }, { path: '/metaJson' }] },
    });
    const badId = { specialistId: 'a b', machineName: 'refunds', strategyFnName: 'firstAvailable' };
    await expect(redial.registerProposer(badId)).rejects.toMatchObject({
      rejection: { rejected: 'refused' },
    });
    const badKey = redial.createSession({ machineName: 'refunds' }, { idempotencyKey: '' });
    await expect(badKey).rejects.toMatchObject({ rejection: { code: 'malformed-key' } });
    const misspelt: object = { idempotencykey: 'k' };
    await expect(redial.createSession({ machineName: 'orders' }, misspelt)).rejects.toThrow(
      '[MalformedRequest] the options of the call: /idempotencykey is unknown: there is no property "idempotencykey" here; did you mean "idempotencyKey"? Correct',
    );
    const runtimeSpecialists: object = { proposer: [] };
    await expect(redial.invokeGate({ gateId: 'g', runtimeSpecialists })).rejects.toThrow('"proposers"?');
    const text = sessionId as unknown;
    await expect(redial.getSession(text as { sessionId: string })).rejects.toThrow('must be an object');
    await expect(redial.getSessionAt({ sessionId, revision: 0.5 })).rejects.toMatchObject({
      rejection: { code: 'malformed-request' },
    });
  });

  it('forgets the function of a registration that was refused, so that it can be corrected', async () => {
    await start();
    const strategyFn = () => ({ transitionName: 'escalate' });
    const refused = redial.registerProposer({ specialistId: 'z', machineName: 'not a name', strategyFn });
    await expect(refused).rejects.toMatchObject({ rejection: { code: 'invalid-specialist' } });
    expect(
      await redial.registerProposer({ specialistId: 'z', machineName: 'refunds', strategyFn }),
    ).toMatchObject({ strategyFnName: 'refunds/z', version: 1 });
  });

  it('gives a function up that never answers', async () => {
    callTimeoutMs = 50;
    await start();
    const never = () => new Promise<never>(() => {});
    await redial.registerProposer({ specialistId: 'never', machineName: 'refunds', strategyFn: never });
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    const asked = redial.submitProposal({ sessionId, specialistId: 'never' });
    await expect(asked).rejects.toMatchObject({ failure: { kind: 'timeout' } });
  });
});
