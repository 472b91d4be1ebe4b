import { expect } from '@jest/globals';
import { ScriptedWebhookServer } from '#lib/activities/testing';
import { EngineSettings, eventCatalogue, type Redial } from '#lib/engine';
import type { EventLog } from '#lib/event-store';
import { regress, Today } from '#lib/histories';
import { fileWith, historyFile } from '#lib/histories/testing';
import { startEngine } from '../support/engine.js';
import { type History, historyOf } from './history.js';
import { type RunsHistory, runsHistoryOf } from './run-histories.js';
import type { RunScenario } from './run-scenarios.js';
import type { Scenario } from './scenarios.js';

/** Plays a scenario on an engine of its own, expects every replay of it to be identical, and answers the history. */
export async function playScenario(scenario: Scenario): Promise<History> {
  const { replies, hooks, options, play, evaluate } = scenario;
  const engine = await startEngine(replies, options);
  const webhook = await ScriptedWebhookServer.start(hooks);
  try {
    const { redial, log } = engine;
    const sessionId = await play(redial, webhook.url);
    const evaluationId = await evaluate?.(redial);
    const evaluated = evaluationId === undefined ? [] : [await redial.replayEvaluation({ evaluationId })];
    for (const report of [await redial.replaySession({ sessionId }), ...evaluated])
      expect(report).toMatchObject({ identical: true, open: 0, divergences: [] });
    await expectSameInFile(log, sessionId);
    const history = await historyOf(log.store, sessionId, evaluationId);
    await expectSameInForks(redial, log, sessionId);
    return history;
  } finally {
    await engine.stop();
    await webhook.close();
  }
}

const { workflows } = new EngineSettings({});

/** A played history is exported: the file replays identically, and is what today gives. */
async function expectSameInFile(log: EventLog, id: string): Promise<void> {
  const file = fileWith(await historyFile(log, id, workflows));
  const judging = { codec: eventCatalogue(), engine: workflows };
  const { histories } = await regress([file], new Today({ workflows }), judging);
  expect(histories).toEqual([expect.objectContaining({ verdict: 'same' })]);
}

/**
 * Forks a session at its first and at its last event; a closed one has no last border. Each fork replays identically, also from its file,
 * and the session stays as it was.
 */
async function expectSameInForks(redial: Redial, log: EventLog, sessionId: string): Promise<void> {
  const stream = log.streams.of('session', sessionId);
  const parent = await log.readStream(stream);
  const last = parent.at(-1);
  const borders = last?.type === 'SessionClosed' ? [0] : [0, last?.revision ?? 0];
  for (const atRevision of borders) {
    const { sessionId: fork } = await redial.forkSession({ sessionId, atRevision });
    expect(await redial.replaySession({ sessionId: fork })).toMatchObject({
      identical: true,
      divergences: [],
    });
    await expectSameInFile(log, fork);
  }
  expect(await log.readStream(stream)).toEqual(parent);
}

/** Plays a conversation or a run on an engine of its own, expects its replay to be identical, and answers the history. */
export async function playRunScenario({ script, functions, play }: RunScenario): Promise<RunsHistory> {
  const engine = await startEngine(script, { functions });
  try {
    const { redial, log } = engine;
    const subject = await play(redial);
    const report = await ('conversationId' in subject
      ? redial.replayConversation(subject)
      : redial.replayRun({ runId: subject.runId }));
    expect(report).toMatchObject({ identical: true, open: 0, divergences: [] });
    await expectSameInFile(log, 'runId' in subject ? subject.runId : subject.conversationId);
    return await runsHistoryOf(log.store, subject);
  } finally {
    await engine.stop();
  }
}
