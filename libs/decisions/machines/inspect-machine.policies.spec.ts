import { describe, expect, it } from '@jest/globals';
import { inspectMachine } from './inspect-machine.js';

const sound = {
  machineName: 'triage',
  initialState: 'open',
  goalState: 'done',
  states: { open: { transitions: { close: 'done' } }, done: {} },
};
const nothing = { valid: true, errors: [], warnings: [] };
const proposer = { role: 'proposer', specialistId: 'ada' };
const withState = (open: object) => ({ ...sound, states: { open, done: {} } });

function problemsOf(value: unknown): string[] {
  return inspectMachine(value).errors.map(({ kind, path, message }) => `${kind} ${path} ${message}`);
}
function warningsOf(value: unknown): string[] {
  return inspectMachine(value).warnings.map(({ path, message }) => `${path} ${message}`);
}

describe('X-T1: a quorum', () => {
  const ids = (...names: string[]) => names.map((specialistId) => ({ ...proposer, specialistId }));
  const close = { transitions: { close: 'done' } };

  it('that the declared proposers can reach is sound', () => {
    expect(inspectMachine({ ...sound, quorum: 2, specialists: ids('a', 'b') })).toEqual(nothing);
    expect(inspectMachine({ ...sound, quorum: 9 })).toEqual(nothing);
  });

  it('above the number of enabled proposers is a warning: people and disabled ones do not count', () => {
    const specialists = [
      ...ids('a'),
      { ...proposer, specialistId: 'b', disabled: true },
      { ...proposer, isHuman: true },
      { role: 'arbiter', specialistId: 'judge' },
    ];
    const why = 'the quorum 2 is above the 1 enabled proposers that are not people: a person always decides';
    expect(warningsOf({ ...sound, quorum: 2, specialists })).toEqual([`/quorum ${why}`]);
    const ofState = { ...withState({ ...close, quorum: 2 }), specialists };
    expect(warningsOf(ofState)).toEqual([`/states/open/quorum ${why}`]);
    expect(warningsOf({ ...withState({ ...close, specialists }), quorum: 2 })).toEqual([
      `/states/open/specialists ${why}`,
    ]);
  });
});

describe('X-D11: a collapse policy', () => {
  it('is refused with anything but a whole number from 1', () => {
    for (const spotCheckEvery of [0, 1.5, '3'])
      expect(inspectMachine({ ...sound, collapse: { spotCheckEvery } }).errors).toMatchObject([
        { path: '/collapse/spotCheckEvery' },
      ]);
  });

  it('warns that it has no effect beside a quorum above 1', () => {
    const { warnings } = inspectMachine({ ...sound, collapse: {}, quorum: 2 });
    expect(warnings).toMatchObject([{ path: '/collapse' }]);
  });
});

describe('X-T4: a trust policy', () => {
  it.each([{}, { minComparisons: 10 }, { minComparisons: 0, minAlignment: 0.6 }])('may be %j', (trust) => {
    expect(inspectMachine({ ...sound, trust })).toEqual(nothing);
    expect(inspectMachine(withState({ transitions: { close: 'done' }, trust }))).toEqual(nothing);
  });

  it.each([
    [{ minComparisons: -1 }, 'invalid /trust/minComparisons'],
    [{ minComparisons: 1.5 }, 'malformed /trust/minComparisons'],
    [{ minAlignment: 1.1 }, 'invalid /trust/minAlignment'],
    [{ least: 1 }, 'malformed /trust/least'],
    [3, 'malformed /trust'],
  ])('must not be %j', (trust, problem) => {
    expect(problemsOf({ ...sound, trust })).toEqual([expect.stringContaining(problem)]);
  });
});

it.each([-1, 5])('X-D10: refuses the threshold %d of an arbiter', (threshold) => {
  const specialists = [
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'alignmentMargin', threshold },
  ];
  expect(problemsOf({ ...sound, specialists })).toEqual([
    expect.stringContaining('invalid /specialists/0/threshold'),
  ]);
});
