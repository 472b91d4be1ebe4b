import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EngineSettings, openEventLog, openReadStore, projectionRunner } from '#lib/engine/core';
import { verifySession } from '#lib/decisions/driving/core';
import type { Benchmark, Observation } from '../comparison.js';
import { makeCopiedLog } from '../fixtures/copied-log.js';
import { type DecisionEngine, openDecisionEngine } from '../fixtures/decision-engine.js';
import { OpenSessions } from '../fixtures/decision-machine.js';
import { sampleMachine } from '../fixtures/sample-machine.js';
import { median } from '../median.js';
import { ServerProcess } from '../servers/server-process.js';

const SHORT = 100_000;
const LONG = 10_000_000;
const STARTS = 7;
const TIMES = 40;
const LONGEST_MS = 7_200_000;

/** Whether a start, the first page of lists, a decision and the replay of a session take longer with a log of ten million events. */
export const logSize: Benchmark = {
  name: 'log-size',
  onlyByName: true,
  async open(folder) {
    const [short, long] = [await makeLog(folder, SHORT), await makeLog(folder, LONG)];
    return {
      comparisons: [],
      observe: () => observe(short, long),
      close: async () => [short, long].forEach((log) => rmSync(log.folder, { recursive: true })),
    };
  },
};

interface FilledLog {
  readonly folder: string;
  readonly events: number;
  readonly sessionIds: readonly string[];
  /** The time for all rows, in milliseconds. */
  readonly filled: number;
}

async function makeLog(parent: string, events: number): Promise<FilledLog> {
  const folder = join(parent, String(events));
  mkdirSync(folder);
  const sessionIds = await makeCopiedLog(folder, events);
  return { folder, events, sessionIds, filled: await timed(() => fillRows(folder)) };
}

/** Without an engine, which would continue runs whose rows are behind. */
async function fillRows(dataDir: string): Promise<void> {
  const settings = new EngineSettings({ dataDir });
  const [log, store] = [await openEventLog(settings), await openReadStore(settings)];
  const projections = await projectionRunner(log, store, settings);
  await projections.start();
  await projections.caughtUpWithHead(LONGEST_MS);
  await projections.stop();
  await store.close();
  await log.store.close();
}

/** A server until its first answer from rows. In a process of its own: the check of the file of an earlier one ends with it. */
async function start({ folder }: FilledLog): Promise<() => Promise<void>> {
  const server = await ServerProcess.start('./redial-server.js', JSON.stringify({ REDIAL_DATA_DIR: folder }));
  const answer = await fetch(`${server.url}/v1/sessions`);
  if (!answer.ok) throw new Error(`A server answered ${answer.status}: ${await answer.text()}`);
  return () => server.stop();
}

async function observe(short: FilledLog, long: FilledLog): Promise<readonly Observation[]> {
  const logs = [short, long];
  const starts = await inTurns(STARTS, logs, start);
  const engines = await Promise.all(logs.map(open));
  const lists = await inTurns(TIMES, engines, ({ engine }) => readLists(engine));
  const decisions = await inTurns(TIMES, engines, ({ engine, sessions }) =>
    engine.redial.submitProposal({ sessionId: sessions.take(), specialistId: 'clerk' }),
  );
  const replays = await inTurns(TIMES, engines, replayOne);
  for (const { engine } of engines) await engine.close();
  return [
    ...ratio('start', 'a server until its first answer', starts),
    ...ratio('lists', 'the newest 50 sessions, calls, decisions and runs', lists),
    ...ratio('decision', 'a proposal of a model', decisions),
    ...ratio('replay', 'the replay of a session of 22 events', replays),
    { name: 'log-size-rows', value: (long.filled * 1000) / LONG, unit: 'µs', observed: 'all rows, an event' },
    { name: 'log-size-log', value: gigabytes(long, 'log.sqlite'), unit: 'GB', observed: 'the long log' },
    { name: 'log-size-read', value: gigabytes(long, 'read.sqlite'), unit: 'GB', observed: 'its rows' },
    {
      name: 'log-size-memory',
      value: process.memoryUsage.rss() / 1_000_000,
      unit: 'MB',
      observed: 'of the process afterwards',
    },
  ];
}

interface Opened {
  readonly engine: DecisionEngine;
  readonly sessions: OpenSessions;
  readonly sessionIds: readonly string[];
}

async function open({ folder, sessionIds }: FilledLog): Promise<Opened> {
  const [engine, sessions] = [await openDecisionEngine(folder), new OpenSessions()];
  // One more than is counted.
  await sessions.make(engine.redial, TIMES + 1);
  return { engine, sessions, sessionIds };
}

async function readLists({ redial }: DecisionEngine): Promise<void> {
  const pages = [
    await redial.listSessions({}),
    await redial.listLlmCalls({}),
    await redial.getDecisionLog({ machineName: sampleMachine.machineName }),
    await redial.listRuns({}),
  ];
  for (const { items } of pages) if (items.length === 0) throw new Error('A list is empty.');
}

async function replayOne({ engine: { log }, sessionIds }: Opened, turn: number): Promise<void> {
  const sessionId = sessionIds[turn % sessionIds.length] ?? '';
  if ((await verifySession(log, sessionId))?.identical !== true)
    throw new Error(`Session ${sessionId} has diverged.`);
}

/** The median of each side, after one turn that does not count: other work of the machine affects both. */
async function inTurns<Side>(
  times: number,
  [short, long]: readonly Side[],
  work: (side: Side, turn: number) => Promise<unknown>,
): Promise<readonly [short: number, long: number]> {
  if (!short || !long) throw new Error('There are two sides.');
  const [ofShort, ofLong]: number[][] = [[], []];
  for (let turn = 0; turn <= times; turn++) {
    ofShort?.push(await timed(() => work(short, turn)));
    ofLong?.push(await timed(() => work(long, turn)));
  }
  return [median(ofShort?.slice(1) ?? []), median(ofLong?.slice(1) ?? [])];
}

function ratio(name: string, what: string, [short, long]: readonly [number, number]): Observation[] {
  const unit = 'ms';
  return [
    { name: `log-size-${name}-short`, value: short, unit, observed: `${what}, ${SHORT} events` },
    { name: `log-size-${name}-long`, value: long, unit, observed: `${what}, ${LONG} events` },
    {
      name: `log-size-${name}`,
      value: long / short,
      atMost: 1.5,
      unit: 'times',
      observed: 'the one to the other',
    },
  ];
}

function gigabytes({ folder }: FilledLog, file: string): number {
  return statSync(join(folder, file)).size / 1e9;
}

/** @param work is timed; it may return a function that tidies up, which is not timed */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  const tidyUp = await work();
  const took = performance.now() - begun;
  if (typeof tidyUp === 'function') await tidyUp();
  return took;
}
