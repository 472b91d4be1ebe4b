import { describe, expect, it } from '@jest/globals';
import { isOfSession, summarized, summaryOf } from './index.js';

describe('the summary of an event', () => {
  it.each([
    ['ProposalSolicited', { specialistId: 'clerk' }, 'clerk is asked'],
    ['TurnRequested', { text: 'Is the 2nd free?' }, 'the user says "Is the 2nd free?"'],
    ['TurnTaken', { message: 'Yes.', stoppedReason: 'reply' }, 'the agent says "Yes." (reply)'],
    ['TaskAssigned', { by: 'ann', personId: null }, 'ann assigns the task to nobody in particular'],
    [
      'TaskReminded',
      { dueAt: '2026-01-31T12:00:00.000Z' },
      'the task is due 2026-01-31T12:00:00.000Z: a reminder',
    ],
    [
      'TaskOverdue',
      { dueAt: '2026-01-31T12:00:00.000Z' },
      'the task is overdue since 2026-01-31T12:00:00.000Z',
    ],
    [
      'TaskEscalated',
      { groups: ['leads'], people: ['eve'], keep: false },
      'the task escalates: group leads, eve may answer instead',
    ],
    ['TaskAttemptRefused', { by: 'eve', code: 'not-a-candidate' }, 'eve is refused: not-a-candidate'],
    [
      'SignalAwaited',
      { signal: 'approval', prompt: { toolId: 'pay', toolVersion: 1, arguments: { amount: 9 } } },
      'waits for an approval of pay with {"amount":9}',
    ],
    [
      'SignalReceived',
      { signal: 'approval', by: 'ann', payload: { approved: true, reason: 'Fair.' } },
      'approved by ann: Fair.',
    ],
    [
      'SignalReceived',
      { signal: 'approval', by: 'ann', payload: { approved: true, arguments: { amount: 5 } } },
      'approved by ann with {"amount":5}',
    ],
    ['SignalReceived', { signal: 'approval', payload: { approved: false } }, 'refused'],
    [
      'SignalReceived',
      { signal: 'approval', by: 'ann', payload: { approved: true, note: 1 } },
      'signal approval by ann: {"approved":true,"note":1}',
    ],
    [
      'SignalReceived',
      { signal: 'goods', by: 'ann', payload: { approved: true } },
      'signal goods by ann: {"approved":true}',
    ],
    [
      'LlmCallCompleted',
      { status: 200, durationMs: 4, body: { encoding: 'utf8', content: '[erased]', sha256: '' } },
      '200 in 4 ms: [erased]',
    ],
  ])('says in words what %s records', (type, data, words) => {
    expect(summaryOf({ type, data })).toBe(words);
  });

  it('is the data of an event that has no words, also of one that an application records under a name that has words', () => {
    expect(summaryOf({ type: 'ParcelSent', data: { to: 'Ada' } })).toBe('{"to":"Ada"}');
    expect(summaryOf({ type: 'constructor', data: { a: 1 } })).toBe('{"a":1}');
    expect(summaryOf({ type: 'TaskCommented', data: { stars: 5 } })).toBe('{"stars":5}');
  });

  it('is one line of printable text', () => {
    const text = 'two\nlines \u001b[31mred';
    expect(summaryOf({ type: 'TurnRequested', data: { text } })).toBe('the user says "two lines [31mred"');
  });

  it('stands beside the members of each event, and tells those of a session', async () => {
    const event = { type: 'TaskReleased', data: { by: 'ann' } };
    const found = [];
    for await (const one of summarized(asyncOf(event))) found.push(one);
    expect(found).toEqual([{ ...event, summary: 'ann releases the task' }]);
    expect([isOfSession({ type: 'SessionCreated' }), isOfSession(event)]).toEqual([true, false]);
  });
});

async function* asyncOf<T>(...values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
