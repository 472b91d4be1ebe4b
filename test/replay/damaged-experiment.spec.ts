import { beforeAll, describe, expect, it } from '@jest/globals';
import { verifyExperiment } from '#lib/histories/core';
import { type History, type HistoryEvent, logOf } from './history.js';
import { playScenario } from './play-scenario.js';
import { scenarios } from './scenarios.js';

describe('an experiment', () => {
  let history: History;

  beforeAll(async () => {
    const scenario = scenarios.find(({ name }) => name === 'evaluation');
    if (!scenario) throw new Error('No scenario asks again.');
    history = await playScenario(scenario);
  });

  /** The history with the first event of a type of these streams in which a text stands, and in it every occurrence of the text is changed. */
  function changed(category: string, type: string, from: string, to: string): readonly HistoryEvent[] {
    const at = history.events.findIndex(
      (event) => event.stream.includes(`_${category}-`) && event.type === type && event.data.includes(from),
    );
    if (at < 0) throw new Error(`No ${type} says ${from}.`);
    return history.events.map((event, index) =>
      index === at ? { ...event, data: event.data.replaceAll(from, to) } : event,
    );
  }

  async function replayed(events: readonly HistoryEvent[]) {
    return verifyExperiment(await logOf(events), history.evaluationId ?? '');
  }

  it('is verified with its batch and the solicitations of that', async () => {
    expect(await replayed(history.events)).toMatchObject({ identical: true, divergences: [] });
    expect((await replayed(history.events))?.streamsChecked).toBeGreaterThan(3);
  });

  it.each([
    ['a point that was decided otherwise', 'experiment', 'ExperimentStarted', '"toState":"', '"toState":"x'],
    ['a batch with another place', 'experiment', 'ExperimentBatchRequested', '"from":0', '"from":1'],
    [
      'another answer than its batch gave',
      'experiment',
      'ExperimentBatchEnded',
      '"inputTokens":',
      '"inputTokens":9',
    ],
    [
      'a batch that was asked something else',
      'experiment_batch',
      'WorkflowStarted',
      '"concurrency":4',
      '"concurrency":5',
    ],
    ['another end of a solicitation', 'experiment_batch', 'ChildEnded', '"toState":"', '"toState":"x'],
  ])('diverges with %s', async (_, category, type, from, to) => {
    const report = await replayed(changed(category, type, from, to));
    expect(report).toMatchObject({ identical: false });
    expect(report?.divergences).not.toEqual([]);
  });

  it('diverges where the session of a point is gone', async () => {
    const events = history.events.filter(({ stream }) => !stream.includes('_session-'));
    expect((await replayed(events))?.divergences[0]).toMatchObject({
      type: 'ExperimentStarted',
      pointer: '/data/points/0',
    });
  });

  it('is unknown under another id', async () => {
    expect(await verifyExperiment(await logOf(history.events), 'another')).toBeUndefined();
  });
});
