import { afterEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { httpError, type LlmScript, toolCall } from '#lib/activities/testing';
import type { RedialOptions } from '#lib/engine';
import type { RecordedEvent } from '#lib/kernel';
import { barrier } from '../support/barrier.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { bothAtOnce, release } from '../support/releases.js';
import { untilEvent } from '../support/until-event.js';

const judge = { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' };
const ship = () => ({ transitionName: 'ship' });

function model(specialistId: string) {
  return {
    role: 'proposer',
    specialistId,
    contextTemplate: 'Commit {{metaJson.commit}}',
    modelId: specialistId,
  };
}

function caller(specialistId: string) {
  return { role: 'proposer', specialistId, strategyFnName: specialistId };
}

describe('an invocation of a gate', () => {
  let engine: TestEngine;

  async function start(script: LlmScript, options: RedialOptions = {}) {
    engine = await startEngine(script, options);
    return engine.redial;
  }

  afterEach(() => engine.stop());

  const eventsOf = (sessionId: string) =>
    engine.log.readStream(engine.log.streams.of('session', sessionId)) as Promise<readonly RecordedEvent[]>;

  it('asks models at the same time, keeps who failed, and sums what the others used', async () => {
    const pass = barrier(2);
    const redial = await start(async ({ body }) => {
      await pass();
      if (body['model'] === 'broken') return httpError(500, 'down');
      return toolCall('ship', { sure: true }, { usage: { prompt_tokens: 40, completion_tokens: 5 } });
    });
    const specialists = [model('sound'), model('broken'), judge];
    await redial.createGate({ ...release, specialists, quorum: 1 });
    const result = await redial.invokeGate({ gateId: 'release', metaJson: { commit: 'abc' } });
    expect(result).toMatchObject({
      decision: 'ship',
      metaJson: { sure: true },
      needsHuman: false,
      proposals: [{ specialistId: 'sound', status: 'won' }],
      failures: [{ specialistId: 'broken', failure: { kind: 'http-error', upstreamStatus: 500 } }],
      numInputTokens: 40,
      numOutputTokens: 5,
    });
    expect(result).not.toHaveProperty('costUSD');
    expect(await redial.getInvocation({ gateId: 'release', sessionId: result.sessionId })).toEqual(result);
    expect(await redial.replaySession({ sessionId: result.sessionId })).toMatchObject({ identical: true });
    const texts = engine.llm.requests.map(({ text }) => text);
    expect(texts.every((text) => text.includes('Commit abc'))).toBe(true);
  });

  it('X-D11: models, arbiters and the awaited person get the question and the earlier decisions', async () => {
    const told: object[] = [];
    const arbiters = {
      unsure: (context: { readonly prompt: string; readonly history: readonly object[] }) => {
        told.push({ prompt: context.prompt, history: context.history });
        return { consensusReached: false };
      },
    };
    const redial = await start(() => toolCall('ship', {}), { arbiters });
    const contextTemplate = '{{#history}}{{transitionName}}:{{reasoning}};{{/history}}';
    const specialists = [
      { ...model('one'), contextTemplate },
      { role: 'arbiter', specialistId: 'unsure', strategyFnName: 'unsure' },
    ];
    await redial.createGate({ ...release, specialists, choices: { ship: 'Ship it', hold: {} } });
    const { definition } = await redial.getGate({ gateId: 'release' });
    expect(definition.choices).toEqual({ ship: { description: 'Ship it' }, hold: {} });
    const history = [{ transitionName: 'triage', reasoning: 'urgent', isHuman: true }];
    const asked = { gateId: 'release', promptSuffix: 'Version 7?', history };
    const { sessionId } = await redial.invokeGate(asked);
    const prompt = 'Ship it?\n\nVersion 7?';
    expect(engine.llm.requests[0]?.text).toContain('triage:urgent;');
    expect(engine.llm.requests[0]?.text).toContain(JSON.stringify(prompt).slice(1, -1));
    const earlier = { transitionName: 'triage', fromState: '', toState: '', reasoning: 'urgent' };
    expect(told).toEqual([{ prompt, history: [earlier] }]);
    expect((await redial.getInbox({})).items).toMatchObject([{ sessionId, prompt }]);
    expect(await redial.getSession({ sessionId })).toMatchObject({ history: [], machineVersion: 1 });
    const unstorable = [{ transitionName: 'triage', metaJson: { risk: Number.POSITIVE_INFINITY } }];
    await expect(redial.invokeGate({ ...asked, history: unstorable })).rejects.toMatchObject({
      rejection: { code: 'malformed-input' },
    });
    expect(await redial.replaySession({ sessionId })).toMatchObject({ identical: true });
  });

  it('X-D11: specialists that come with an invocation take part in a role that the gate declares nobody for, and its status counts', async () => {
    const redial = await start([]);
    const gate = { gateId: 'poll', choices: { yes: 'Agree', no: {} } };
    await redial.createGate(gate);
    const strategyFn = () => ({ transitionName: 'yes' });
    const runtimeSpecialists = {
      proposers: [{ specialistId: 'one', strategyFn }],
      arbiter: {
        specialistId: 'judge',
        strategyFn: ({
          proposals: [first],
        }: {
          readonly proposals: readonly { readonly proposalId: string }[];
        }) => ({
          consensusReached: true,
          ...(first && { winningProposalId: first.proposalId }),
        }),
      },
    };
    const empty = await redial.getGateStatus({ gateId: 'poll' });
    expect(empty).toMatchObject({
      collapsed: false,
      collapseProgress: 0,
      invocationCount: 0,
      specialists: [],
    });
    for (let n = 0; n < 10; n++) {
      const { decision } = await redial.invokeGate({ gateId: 'poll', runtimeSpecialists });
      expect(decision).toBe('yes');
    }
    const [invocation] = (await redial.listSessions({ machineName: 'poll' })).items;
    await redial.forkSession({ sessionId: invocation?.sessionId ?? '', atRevision: 0 });
    expect(await redial.getGateStatus({ gateId: 'poll' })).toEqual({
      gateId: 'poll',
      collapsed: true,
      collapseProgress: 1,
      invocationCount: 10,
      exemplarCount: 0,
      humanOverrideRate: 0,
      meanCosts: [],
      specialists: [
        { specialistId: 'one', specialistVersion: 1, enabled: true, alignmentScore: 0, totalComparisons: 0 },
      ],
    });
    await expect(redial.getGateStatus({ gateId: 'none' })).rejects.toThrow('[UnknownGate]');
  });

  it('X-T1: asks a person when one of two models failed, for any verdict on the other', async () => {
    const redial = await start(({ body }) =>
      body['model'] === 'broken' ? httpError(503, 'down') : toolCall('ship', {}),
    );
    await redial.createGate({ ...release, specialists: [model('sound'), model('broken'), judge] });
    expect(await redial.invokeGate({ gateId: 'release' })).toMatchObject({
      needsHuman: true,
      reasoning: 'the round has 1 of the 2 proposals that a decision needs',
      proposals: [{ specialistId: 'sound', status: 'open' }],
      failures: [{ specialistId: 'broken' }],
    });
  });

  it('turns to a person when everybody failed, or nobody can be asked', async () => {
    const redial = await start(() => httpError(500, 'down'));
    await redial.createGate({ ...release, specialists: [model('broken'), judge] });
    expect(await redial.invokeGate({ gateId: 'release' })).toMatchObject({
      needsHuman: true,
      proposals: [],
      failures: [{ specialistId: 'broken' }],
    });
    await redial.createGate({ gateId: 'empty', choices: { pass: {} } });
    expect(await redial.invokeGate({ gateId: 'empty' })).toMatchObject({
      needsHuman: true,
      proposals: [],
      failures: [],
    });
  });

  it('asks eight at a time', async () => {
    const pass = barrier(8);
    const names = Array.from({ length: 12 }, (_, n) => `p${n}`);
    const strategy = async () => {
      await pass();
      return ship();
    };
    const redial = await start([], { strategies: Object.fromEntries(names.map((name) => [name, strategy])) });
    await redial.createGate({ ...release, specialists: [...names.map(caller), judge] });
    const { sessionId, proposals } = await redial.invokeGate({ gateId: 'release' });
    expect(proposals).toHaveLength(12);
    let open = 0;
    let most = 0;
    for (const { type } of await eventsOf(sessionId)) {
      open += { ProposalSolicited: 1, ProposalSubmitted: -1 }[type] ?? 0;
      most = Math.max(most, open);
    }
    expect(most).toBe(8);
  });

  it('is refused before anything is written when this process could not ask everybody', async () => {
    const place = { dataDir: temporaryFolder() };
    await start([], { ...place, strategies: bothAtOnce() });
    await engine.redial.createGate(release);
    await engine.stop();
    const redial = await start([], { ...place, strategies: { tests: ship } });
    const head = await engine.log.store.head();
    const refused = redial.invokeGate({ gateId: 'release' });
    await expect(refused).rejects.toMatchObject({
      rejection: { rejected: 'refused', code: 'configuration' },
    });
    expect(await engine.log.store.head()).toBe(head);
  });

  it('asks all proposers before the arbiter, also beside the always-on mode', async () => {
    const strategies: NonNullable<RedialOptions['strategies']> = {
      tests: ship,
      review: ship,
      // Answers once the always-on mode has come by twice after the others had proposed.
      slow: async ({ sessionId }) => {
        const isOther = ({ type, stream }: RecordedEvent) =>
          type === 'ProposalSubmitted' && stream.endsWith(sessionId);
        let proposals = 0;
        await untilEvent(engine.log, (event) => isOther(event) && ++proposals === 2);
        for (const name of ['one', 'two']) await driven(name);
        return { transitionName: 'hold' };
      },
      on: () => ({ transitionName: 'on' }),
    };
    const redial = await start([], { strategies, drive: { enabled: true, intervalMs: 10 } });
    const driven = async (machineName: string) => {
      const states = { a: { transitions: { on: 'b' } }, b: {} };
      const specialists = [
        { role: 'proposer', specialistId: `${machineName}-p`, strategyFnName: 'on' },
        { ...judge, specialistId: `${machineName}-judge` },
      ];
      await redial.defineMachine({ machineName, initialState: 'a', goalState: 'b', states, specialists });
      const { sessionId } = await redial.createSession({ machineName });
      await untilEvent(
        engine.log,
        ({ type, stream }) => type === 'TransitionExecuted' && stream.endsWith(sessionId),
      );
    };
    await redial.createGate({ ...release, specialists: [...['tests', 'review', 'slow'].map(caller), judge] });
    const result = await redial.invokeGate({ gateId: 'release' });
    expect(result.proposals.map(({ specialistId }) => specialistId).toSorted()).toEqual([
      'review',
      'slow',
      'tests',
    ]);
    expect(result.proposals.every(({ status }) => status !== 'late')).toBe(true);
  });
});
