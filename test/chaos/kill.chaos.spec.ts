import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { ScriptedLlmServer, toolCall } from '#lib/activities/testing';
import type { LlmCallFailed } from '#lib/call-rules';
import { eventCatalogue, verifyAll } from '#lib/engine';
import { EventLog, sequenceOf, StreamNames } from '#lib/event-store';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import type { RecordedEvent } from '#lib/kernel';
import { models, openSqliteReadStore, ProjectionRunner } from '#lib/read-models';
import { dumpRows } from '#lib/read-models/testing';
import { ServerProcess } from '../support/server-process.js';
import { type Acknowledged, machine, work } from './load.js';

const ROUNDS = 20;
const WORKERS = 8;

describe(`a server that was killed ${ROUNDS} times under load`, () => {
  let dataDir: string;
  let llm: ScriptedLlmServer;
  let log: EventLog;
  let running: ServerProcess | undefined;
  let events: readonly RecordedEvent[];
  const acknowledged: Acknowledged = { sessions: new Map(), proposals: new Map(), positions: [] };

  async function start(): Promise<ServerProcess> {
    running = await ServerProcess.start({
      REDIAL_DATA_DIR: dataDir,
      OPENAI_API_KEY: 'sk-canary-0123456789',
      OPENAI_BASE_URL: llm.baseUrl,
    });
    return running;
  }

  beforeAll(async () => {
    dataDir = temporaryFolder();
    llm = await ScriptedLlmServer.start(() => toolCall('answer', { polite: true }));
    for (let round = 0; round < ROUNDS; round++) await killUnderLoad(round);
    await finishWhatIsOpen();
    log = new EventLog(
      await SqliteEventStore.open(join(dataDir, 'log.sqlite')),
      eventCatalogue(),
      new StreamNames(),
    );
    events = await log.decodeAll(await log.store.readAll({ limit: 1_000_000 }));
  });

  afterAll(async () => {
    await running?.kill();
    await log?.store.close();
    await llm.close();
  });

  /** Kills in the middle: after a number of answers that differs from round to round. */
  async function killUnderLoad(round: number): Promise<void> {
    const server = await start();
    if (round === 0) await define(server);
    let answers = 0;
    const killed = new Promise<void>((resolve) => {
      const onAnswer = () => {
        answers++;
        if (answers === 20 + 7 * round) resolve(server.kill());
      };
      for (let worker = 0; worker < WORKERS; worker++) workers.push(work(server.url, acknowledged, onAnswer));
    });
    await Promise.race([killed, Promise.all(workers)]);
    await Promise.all(workers.splice(0));
  }

  const workers: Promise<void>[] = [];

  async function define(server: ServerProcess): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${server.url}/v1/machines`, {
      method: 'POST',
      headers,
      body: JSON.stringify(machine),
    });
    expect(response.status).toBe(201);
  }

  /** Recovery marks what was in flight once the leases of the dead have run out. */
  async function finishWhatIsOpen(): Promise<void> {
    const server = await start();
    const store = await SqliteEventStore.open(join(dataDir, 'log.sqlite'));
    const open = new Set<string>();
    for await (const batch of store.subscribe(undefined, new AbortController().signal)) {
      for (const { type, data } of batch) {
        const { solicitationId } = JSON.parse(data) as { solicitationId?: string };
        if (type === 'ProposalSolicited' && solicitationId) open.add(solicitationId);
        if (/^Proposal(Submitted|SetAside|Failed)$/.test(type) && solicitationId) open.delete(solicitationId);
      }
      if (batch.length === 0 && open.size === 0) break;
      if (open.size === 0 && (await store.head()) === batch.at(-1)?.position) break;
    }
    await store.close();
    expect(await server.stop()).toBe(0);
  }

  it('has everything that was acknowledged', () => {
    const transitions = new Map<string, number>();
    const proposals = new Set<string>();
    for (const { type, data, stream } of events) {
      if (type === 'SessionCreated') transitions.set(stream, 0);
      if (type === 'TransitionExecuted') transitions.set(stream, (transitions.get(stream) ?? -1) + 1);
      if (type === 'ProposalSubmitted') proposals.add((data as { proposalId: string }).proposalId);
    }
    const lost = [...acknowledged.sessions].filter(
      ([sessionId, executed]) => (transitions.get(log.streams.of('session', sessionId)) ?? -1) < executed,
    );
    expect(lost).toEqual([]);
    expect([...acknowledged.proposals.keys()].filter((proposalId) => !proposals.has(proposalId))).toEqual([]);
    expect(acknowledged.proposals.size).toBeGreaterThan(ROUNDS);
  });

  it('has positions and revisions without a gap', () => {
    const revisions = new Map<string, number>();
    for (const [place, { position, stream, revision }] of events.entries()) {
      expect(sequenceOf(log.store.logId, position)).toBe(BigInt(place + 1));
      expect(revision).toBe((revisions.get(stream) ?? -1) + 1);
      revisions.set(stream, revision);
    }
    const known = new Set(events.map(({ position }) => position));
    expect(acknowledged.positions.filter((position) => !known.has(position))).toEqual([]);
  });

  it('has an outcome for every call: what was in flight is marked, never lost', () => {
    const asked = events.filter(
      ({ type }) => type === 'LlmCallRequested' || type === 'FunctionCallRequested',
    );
    const call = ({ stream, data }: RecordedEvent) => `${stream} ${(data as { stepId: string }).stepId}`;
    const answered = new Set(
      events.filter(({ type }) => /Call(Completed|Failed)$/.test(type)).map((event) => call(event)),
    );
    expect(asked.length).toBeGreaterThan(ROUNDS);
    expect(asked.filter((event) => !answered.has(call(event)))).toEqual([]);
  });

  it('has a request on the wire for each recorded call of a model, but for those in flight when a process died', () => {
    const requested = events.filter(({ type }) => type === 'LlmCallRequested').length;
    const lost = events.filter(
      ({ type, data }) =>
        type === 'LlmCallFailed' && (data as LlmCallFailed['data']).failure.kind === 'interrupted',
    ).length;
    expect(llm.requests.length).toBeLessThanOrEqual(requested);
    expect(llm.requests.length).toBeGreaterThanOrEqual(requested - lost);
  });

  it('has read models that equal a rebuild from zero', async () => {
    // The server has stopped at some position: the rows that it kept go on from there.
    const dumped = async (file: string) => {
      const rows = await openSqliteReadStore(join(dataDir, file));
      const runner = new ProjectionRunner(log, rows, [{ name: 'rows', models }]);
      await runner.start();
      await runner.caughtUpWithHead(120_000);
      await runner.stop();
      const dump = await dumpRows(rows, models);
      await rows.close();
      return dump;
    };
    expect(await dumped('read.sqlite')).toEqual(await dumped('fresh.sqlite'));
  });

  it('replays every session identically', async () => {
    let sessions = 0;
    for await (const report of verifyAll(log)) {
      expect(report).toMatchObject({ identical: true, open: 0 });
      sessions++;
    }
    expect(sessions).toBeGreaterThanOrEqual(acknowledged.sessions.size);
  });
});
