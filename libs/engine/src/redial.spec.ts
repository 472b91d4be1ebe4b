import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { httpError, ScriptedLlmServer, text, toolCall } from '#lib/activities/testing';
import { Redial, RedialModule } from './index.js';

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

describe('Redial', () => {
  let dataDir: string;
  let llm: ScriptedLlmServer;
  let app: INestApplicationContext;
  let redial: Redial;

  async function start(...replies: Parameters<ScriptedLlmServer['enqueue']>): Promise<void> {
    llm = await ScriptedLlmServer.start([...replies]);
    const options = { dataDir, llm: { apiKey: 'sk-canary-123456', baseUrl: llm.baseUrl } };
    app = await NestFactory.createApplicationContext(RedialModule.forRoot(options), {
      logger: ['error', 'warn'],
    });
    redial = app.get(Redial);
    await redial.defineMachine(machine);
    await redial.registerProposer(clerk);
  }

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'redial-engine-'));
  });

  afterEach(async () => {
    await app.close();
    await llm.close();
    await rm(dataDir, { recursive: true, force: true });
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
    expect(await redial.getSession(sessionId)).toEqual(done);
    expect(await redial.sessionAt(sessionId, done.revision)).toEqual(done);
    const { items } = await redial.sessionEvents(sessionId);
    expect(items.map(({ type }) => type)).toEqual([
      'SessionCreated',
      'ProposalSolicited',
      'SolicitationStarted',
      'LlmCallRequested',
      'LlmCallCompleted',
      'SolicitationSucceeded',
      'ProposalSubmitted',
      'TransitionExecuted',
    ]);
    const report = await redial.replaySession(sessionId);
    expect(report).toMatchObject({
      identical: true,
      streamsChecked: 2,
      eventsChecked: 6,
      eventsTaken: 2,
      open: 0,
    });
    expect((await redial.llmCallsOfSession(sessionId)).items).toMatchObject([
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
    expect(await redial.replaySession(sessionId)).toMatchObject({ identical: true });
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
});
