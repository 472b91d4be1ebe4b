import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { toolCall } from '#lib/activities/testing';
import { EngineSettings } from '#lib/engine';
import { ProjectionRunner, sessionsTable } from '#lib/read-models';
import { PostgresServer } from '#lib/read-models/testing';
import { withReadModels } from '../../apps/cli/src/engine/with-log.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { door } from '../support/door.js';

const LONG_MS = 20_000;

const judged = {
  machineName: 'judged',
  initialState: 'a',
  goalState: 'b',
  specialists: [
    { role: 'proposer', specialistId: 'first', strategyFnName: 'firstAvailable' },
    { role: 'proposer', specialistId: 'judge', isHuman: true },
  ],
  states: { a: { transitions: { go: 'b' } }, b: {} },
} as const;

describe('the engine with its read models on PostgreSQL', () => {
  let server: PostgresServer;
  let databaseUrl: string;
  let engines: TestEngine[];
  let dataDir: string;

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    databaseUrl = await server.emptyPlace();
    dataDir = temporaryFolder();
    engines = [];
  });
  afterEach(async () => {
    for (const engine of engines.toReversed()) await engine.stop();
  });

  async function start(...[script, options]: Parameters<typeof startEngine>): Promise<TestEngine> {
    const engine = await startEngine(script, { dataDir, databaseUrl, ...options });
    engines.push(engine);
    return engine;
  }

  async function openDoor({ redial }: TestEngine, other: TestEngine): Promise<string> {
    const { sessionId } = await redial.createSession({ machineName: 'door' });
    const { transitionName, toState } = await redial.submitProposal({ sessionId, specialistId: 'doorman' });
    await other.redial.executeTransition({ sessionId, transitionName, toState });
    return sessionId;
  }

  it('runs a session to its end, answers about it, and replays it', async () => {
    const engine = await start([toolCall('push', {})]);
    const { redial } = engine;
    await redial.defineMachine(door);
    const sessionId = await openDoor(engine, engine);
    expect(await redial.getSession({ sessionId })).toMatchObject({ currentState: 'open', status: 'done' });
    expect((await redial.listSessions({ status: 'done' })).items).toMatchObject([{ sessionId }]);
    expect((await redial.listLlmCallsOfSession({ sessionId })).items).toMatchObject([
      { outcome: 'toolCall' },
    ]);
    expect((await redial.getModelStatistics()).items).toMatchObject([
      { model: 'gpt-4o-mini', calls: 1, failedCalls: 0 },
    ]);
    expect(await redial.replaySession({ sessionId })).toMatchObject({ identical: true });
  });

  it('lists an experiment whose name has what no text of a database has, and takes no actor like it', async () => {
    const { redial, llm } = await start([]);
    await redial.defineMachine(judged);
    const { sessionId } = await redial.createSession({ machineName: 'judged' });
    const actor = 'op\0';
    await expect(redial.closeSession({ sessionId }, { actor })).rejects.toMatchObject({
      rejection: { code: 'malformed-request', problems: [{ path: '/actor' }] },
    });
    await redial.decide({ sessionId, specialistId: 'judge', transitionName: 'go' });
    await redial.startExperiment({
      name: 'night\0 \ud800',
      points: { machineName: 'judged' },
      variants: [{ name: 'as it is', specialistId: 'first' }],
    });
    expect((await redial.listExperiments()).items).toMatchObject([{ name: 'night\0 \ud800', points: 1 }]);
    expect(llm.requests).toHaveLength(0);
  });

  it('is one engine in two processes, and still is when one of them has gone', async () => {
    const one = await start([toolCall('push', {})]);
    await one.redial.defineMachine(door);
    const other = await start([toolCall('push', {})]);
    const first = await openDoor(one, other);
    await one.app.get(ProjectionRunner).caughtUpWithHead(LONG_MS);
    expect(await one.redial.getSession({ sessionId: first })).toEqual(
      await other.redial.getSession({ sessionId: first }),
    );
    await one.app.close();
    const second = await openDoor(other, other);
    await other.app.get(ProjectionRunner).caughtUpWithHead(LONG_MS);
    expect(await other.redial.getSession({ sessionId: second })).toMatchObject({ status: 'done' });
    expect(await other.redial.replaySession({ sessionId: second })).toMatchObject({ identical: true });
  });

  it('shows the command line what a running engine has projected', async () => {
    const engine = await start([toolCall('push', {})]);
    await engine.redial.defineMachine(door);
    await openDoor(engine, engine);
    const settings = new EngineSettings({ dataDir, databaseUrl });
    const status = await withReadModels(settings, async ({ projections }) => {
      await projections.caughtUpWithHead(LONG_MS);
      return projections.status();
    });
    expect(new Set(status.map(({ lag, status: state }) => `${state} ${lag}`))).toEqual(new Set(['live 0']));
  });

  it('keeps taking commands when the disk of the database is full, reports it, and catches up later', async () => {
    const engine = await start([]);
    const { redial, app } = engine;
    const sessions = sessionsTable.name.replace(/(_v\d+)$/, '_a$1');
    const schema = new URL(databaseUrl).searchParams.get('options')?.split('=').at(-1) ?? '';
    await server.sql(`
      create function ${schema}.full_disk() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
      create trigger full_disk before insert on ${schema}.${sessions} execute function ${schema}.full_disk()`);
    await redial.defineMachine(door);
    const { sessionId } = await redial.createSession({ machineName: 'door' });
    const runner = app.get(ProjectionRunner);
    const troubled = async () => (await runner.status()).find(({ error }) => error !== undefined);
    while ((await troubled()) === undefined) await new Promise((resolve) => setImmediate(resolve));
    const { error } = (await troubled()) ?? {};
    expect(JSON.stringify(error)).toMatch(
      /127\.0\.0\.1:\d+.*disk or its memory is full \(53100\).*Free space/,
    );
    expect(JSON.stringify(error)).not.toMatch(/canary/);
    await server.sql(`drop trigger full_disk on ${schema}.${sessions}`);
    await runner.caughtUpWithHead(LONG_MS);
    expect(await redial.getSession({ sessionId })).toMatchObject({ currentState: 'closed' });
  });

  it('has the rows of every decision, whatever margins an arbiter of the application says', async () => {
    const arbiter = { role: 'arbiter', specialistId: 'sure', strategyFnName: 'sure' };
    const proposer = { role: 'proposer', specialistId: 'doorman', strategyFnName: 'firstAvailable' };
    let winningProposalId = '';
    const sure = () => ({ consensusReached: true, winningProposalId, margin: 1e308 });
    const { redial } = await start([], { arbiters: { sure } });
    await redial.defineMachine({ ...door, specialists: [arbiter, proposer] });
    for (let n = 0; n < 3; n++) {
      const { sessionId } = await redial.createSession({ machineName: 'door' });
      ({ proposalId: winningProposalId } = await redial.submitProposal({
        sessionId,
        specialistId: 'doorman',
      }));
      await redial.runSession({ sessionId });
      expect(await redial.getSession({ sessionId })).toMatchObject({ status: 'done' });
    }
    expect(await redial.getCollapseMetrics({ machineName: 'door' })).toMatchObject({ totalDecisions: 3 });
  });

  it('does not start on a database that belongs to another log', async () => {
    const engine = await start([toolCall('push', {})]);
    await engine.redial.defineMachine(door);
    await openDoor(engine, engine);
    await engine.app.get(ProjectionRunner).caughtUpWithHead(LONG_MS);
    await expect(startEngine([], { databaseUrl })).rejects.toThrow(
      /^\[CheckpointMismatch\] .*is not a position of the log .*read store that belongs to this log/,
    );
  });
});
