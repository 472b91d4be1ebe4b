import { describe, expect, it } from '@jest/globals';
import { verifyEvaluation } from '#lib/replay';
import { recordedHistories } from './golden-histories.js';
import { type History, type HistoryEvent, logWith } from './history.js';

const histories = recordedHistories().filter(({ history }) => history.evaluationId !== undefined);

/** The history with its first event of a type changed wherever a text stands in it, the kept command included. */
function changed(history: History, type: string, from: string, to: string): History {
  let done = false;
  const change = (event: HistoryEvent): HistoryEvent => {
    if (done || event.type !== type || !event.data.includes(from)) return event;
    done = true;
    const [data, metadata] = [event.data, event.metadata].map((text) => text.replaceAll(from, to));
    return { ...event, data: data ?? '', metadata: metadata ?? '' };
  };
  const events = history.events.map(change);
  if (!done) throw new Error(`No ${type} says ${from}.`);
  return { ...history, events };
}

async function firstDivergence(history: History) {
  const report = await verifyEvaluation(await logWith(history), history.evaluationId ?? '');
  return report?.divergences[0];
}

it('has a recorded evaluation', () => {
  expect(histories).not.toEqual([]);
});

describe.each(histories)('the evaluation in $name', ({ history }) => {
  it('diverges where a specialist was told something else than its session says', async () => {
    const other = changed(history, 'SessionCreated', '"items":[1,', '"items":[2,');
    expect(await firstDivergence(other)).toMatchObject({
      type: 'WorkflowStarted',
      pointer: '/data/context/sha256',
    });
  });

  it('diverges where a sample says something else than was decided, even with its command changed alike', async () => {
    const decided = '"transitionName":"approve","toState":"closed"';
    const other = changed(history, 'EvaluationStarted', decided, decided.replace('approve', 'deny'));
    expect(await firstDivergence(other)).toMatchObject({
      type: 'EvaluationStarted',
      pointer: '/data/samples/0/transitionName',
      recorded: 'deny',
      replayed: 'approve',
    });
  });

  it('diverges where the session of a sample is gone', async () => {
    const events = history.events.filter(({ stream }) => !stream.includes('_session-'));
    expect(await firstDivergence({ ...history, events })).toMatchObject({ type: 'EvaluationStarted' });
  });

  it('knows no evaluation that is not there', async () => {
    expect(await verifyEvaluation(await logWith(history), 'another')).toBeUndefined();
  });
});
