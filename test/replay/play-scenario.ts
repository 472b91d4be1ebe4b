import { expect } from '@jest/globals';
import { ScriptedWebhookServer } from '#lib/activities/testing';
import { EngineSettings, eventCatalogue } from '#lib/engine';
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
    return await historyOf(log.store, sessionId, evaluationId);
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
