import { describe, expect, it } from '@jest/globals';
import { verifyEvaluation } from '#lib/histories';
import { sessionHistories } from './golden-histories.js';
import { type History, type HistoryEvent, logOf } from './history.js';

/** Evaluations that are recorded now are experiments: see `damaged-experiment.spec.ts`. */
const histories = sessionHistories
  .all()
  .filter(({ history }) => history.events.some(({ stream }) => stream.includes('_evaluation-')));

/** The history with the first event of a type, of a session or of the evaluation, in which every occurrence of a text is changed. */
function changed(history: History, type: string, from: string, to: string): History {
  let done = false;
  const change = (event: HistoryEvent): HistoryEvent => {
    const isRun = event.stream.includes('_evaluation-') || event.type.startsWith('Session');
    if (done || !isRun || event.type !== type || !event.data.includes(from)) return event;
    done = true;
    const [data, metadata] = [event.data, event.metadata].map((text) => text.replaceAll(from, to));
    return { ...event, data: data ?? '', metadata: metadata ?? '' };
  };
  const events = history.events.map(change);
  if (!done) throw new Error(`No ${type} says ${from}.`);
  return { ...history, events };
}

async function firstDivergence(history: History) {
  const report = await verifyEvaluation(await logOf(history.events), history.evaluationId ?? '');
  return report?.divergences[0];
}

it('has a recorded evaluation', () => {
  expect(histories).not.toEqual([]);
});

describe.each(histories)('the evaluation in $name', ({ history }) => {
  it('diverges when the context of a specialist differs from its session', async () => {
    const other = changed(history, 'SessionCreated', '"items":[1,', '"items":[2,');
    expect(await firstDivergence(other)).toMatchObject({
      type: 'WorkflowStarted',
      pointer: '/data/context/sha256',
    });
  });

  // The last round comes first: the round that began at revision 0 is the second sample.
  it.each([
    [
      'says something else than was decided',
      '"transitionName":"approve"',
      '"transitionName":"deny"',
      '0/transitionName',
    ],
    [
      'names another revision than that at which its round began',
      '"revision":0',
      '"revision":1',
      '1/revision',
    ],
  ])('diverges where a sample %s', async (_, said, other, pointer) => {
    expect(await firstDivergence(changed(history, 'WorkflowStarted', said, other))).toMatchObject({
      stream: expect.stringContaining('_evaluation-'),
      type: 'WorkflowStarted',
      pointer: `/data/input/samples/${pointer}`,
    });
  });

  it('diverges when a round was asked about as it was at another revision than its sample says', async () => {
    const events = changed(history, 'ChildStarted', '"revision":0', '"revision":1');
    expect(await firstDivergence(events)).toMatchObject({ type: 'ChildStarted' });
  });

  it('diverges where the session of a sample is gone', async () => {
    const events = history.events.filter(({ stream }) => !stream.includes('_session-'));
    expect(await firstDivergence({ ...history, events })).toMatchObject({
      stream: expect.stringContaining('_evaluation-'),
      type: 'WorkflowStarted',
    });
  });

  it('knows no evaluation that is not there', async () => {
    expect(await verifyEvaluation(await logOf(history.events), 'another')).toBeUndefined();
  });
});
