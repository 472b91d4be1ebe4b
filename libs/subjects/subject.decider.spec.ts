import { expect, it } from '@jest/globals';
import { isRejection } from '#lib/kernel';
import { byTime } from './exports/history-exports.js';
import { subjectDecider, type SubjectState } from './subject.decider.js';

const given = { kind: 'session', id: 's', by: 'ann', hasKey: false } as const;

/** How many events a history leaves, and the state after it. */
function recorded(state: SubjectState, data: object): readonly [number, SubjectState] {
  const events = subjectDecider.decide({ type: 'RecordHistory', data: { ...given, ...data } }, state);
  if (isRejection(events)) throw new Error(events.code);
  return [events.length, events.reduce((before, event) => subjectDecider.evolve(before, event), state)];
}

it('a history is recorded once for each thing, reader and key, and not once the subject is erased', () => {
  let state = subjectDecider.initialState;
  const count = (data: object) => {
    const [events, next] = recorded(state, data);
    state = next;
    return events;
  };
  const others = [{ kind: 'run' }, { id: 't' }, { by: 'bob' }, { hasKey: true }];
  expect([{}, ...others].map(count)).toEqual([1, 1, 1, 1, 1]);
  expect([{}, ...others].map(count)).toEqual([0, 0, 0, 0, 0]);
  const erased = { type: 'SubjectErased', data: { subject: 'x', by: 'operator', streams: 1 } } as const;
  state = subjectDecider.evolve(state, erased);
  expect(count({ id: 'u' })).toBe(0);
});

it('exports are in the order of their times, and equal times are equal', () => {
  const [early, late] = [{ at: '2026-01-01' }, { at: '2026-01-02' }];
  expect([byTime(early, late), byTime(late, early), byTime(early, early)]).toEqual([-1, 1, 0]);
});
