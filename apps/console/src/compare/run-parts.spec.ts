import { describe, expect, it } from '@jest/globals';
import { type RunEvent, runParts } from './run-parts.js';

const RUN = '00000000-0000-4000-8000-000000000001';
const CHILD = '00000000-0000-4000-8000-000000000002';

function event(runId: string, data: RunEvent['data'], summary: string): RunEvent {
  return { stream: `turn-${runId}`, data, summary };
}

describe('the parts of a run that are compared', () => {
  const reply = JSON.stringify({
    id: 'chatcmpl-1',
    choices: [{ message: { role: 'assistant', content: 'yes' } }],
  });
  const events = [
    event(RUN, {}, 'begun'),
    event(RUN, { stepId: 'a', body: { model: 'small' } }, 'asked'),
    event(RUN, { stepId: 'b' }, 'waits'),
    event(CHILD, { stepId: 'c' }, 'of another run'),
    event(RUN, { stepId: 'a', body: { content: reply } }, '200 in 40 ms'),
    event(RUN, { stepId: 'b', specialistId: 'ann', durationMs: 3 }, 'in 3 ms'),
    event(RUN, { stepId: 'd' }, 'is asked'),
  ];

  it('are its input, its end, and the outcome of each of its own steps without ids and times', () => {
    expect([...runParts({ runId: RUN, input: 1, result: 2 }, events)]).toEqual([
      ['Input', 1],
      ['Result', 2],
      ['Step a', { model: 'small', text: 'yes' }],
      ['Step b', { specialistId: 'ann' }],
      ['Step d', 'is asked'],
    ]);
  });

  it('have no result while it runs', () => {
    expect([...runParts({ runId: RUN, input: 1 }, []).keys()]).toEqual(['Input']);
  });
});
