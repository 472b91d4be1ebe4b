import { describe, expect, it } from '@jest/globals';
import { durationProblem } from '#lib/kernel';
import { inspectMachine } from './inspect-machine.js';
import { versionWithMachine } from './catalog/machine.events.js';

const transitions = {
  pay: { target: 'done' },
  sign: { target: 'done', needsPerson: true },
  refund: { target: 'done', parameters: { type: 'object', required: ['amount'] } },
  strict: {
    target: 'done',
    parameters: { type: 'object', minProperties: 1 },
    onInvalidArguments: 'reject',
  },
};
const machine = { machineName: 'pay', initialState: 'open', goalState: 'done' };

function problemsOf(open: object, over: object = {}): string[] {
  const states = { open: { transitions, ...open }, done: {} };
  return inspectMachine({ ...machine, states, ...over }).errors.map(
    ({ kind, path, message }) => `${kind} ${path} ${message}`,
  );
}

const times = {
  dueIn: 'PT4H',
  remindBefore: ['PT1H', 'PT10M'],
  escalations: [
    { in: 'PT6H', groups: ['leads'] },
    { in: 'P1D', people: ['ann'], keep: false },
  ],
  expireIn: 'P2D',
  onExpiry: { transition: 'pay' },
};

describe('durations of definitions', () => {
  it.each(['PT1S', 'PT4H', 'P366D', 'P1W', 'P1DT30M', 'PT1.5S'])('%s can be one', (text) =>
    expect(durationProblem(text)).toBeUndefined(),
  );

  it.each(['', 'P', '4 hours', 'P1M', 'P1Y', 'pt1s', '-PT1S', 'PT'])('%j has no form of one', (text) =>
    expect(durationProblem(text)).toContain('is no ISO 8601 duration'),
  );

  it.each(['PT0S', 'PT0.999S', 'P366DT1S', 'P99999999999D'])('%s is out of bounds', (text) =>
    expect(durationProblem(text)).toBe('is not from 1 s to 366 d'),
  );
});

describe('the times of a definition', () => {
  it('are those of waits, in `people`, and those of rounds, in `after`', () => {
    expect(problemsOf({ people: times, after: [{ in: 'P3D', transition: 'pay' }] })).toEqual([]);
    expect(problemsOf({}, { people: times })).toEqual([]);
  });

  const people = '/states/open/people';
  it.each([
    [{ people: { dueIn: 'soon' } }, `invalid ${people}/dueIn is no ISO 8601`],
    [{ people: { dueIn: 4 } }, `malformed ${people}/dueIn must be of type string`],
    [{ people: { dueIn: 'PT1H', remindBefore: ['PT0S'] } }, `invalid ${people}/remindBefore/0 is not from`],
    [{ people: { remindBefore: ['PT1S'] } }, `invalid ${people}/remindBefore needs dueIn`],
    [{ people: { expireIn: 'P367D' } }, `invalid ${people}/expireIn is not from 1 s to 366 d`],
    [{ people: { onExpiry: { transition: 'pay' } } }, `invalid ${people}/onExpiry needs expireIn`],
    [{ people: { escalations: [{ in: 'PT1S' }] } }, `invalid ${people}/escalations/0 asks nobody`],
    [{ people: { escalations: [{ in: 'PT1S', groups: [] }] } }, `${people}/escalations/0 asks nobody`],
    [{ people: { escalations: [{ in: '1', people: ['a'] }] } }, `${people}/escalations/0/in is no ISO`],
    [{ after: [{ in: 'P1Y', transition: 'pay' }] }, 'invalid /states/open/after/0/in is no ISO'],
    [{ after: [{ in: 'PT1S', transition: 'x' }] }, '/states/open/after/0/transition is no transition'],
    [{ after: [{ in: 'PT1S', transition: 'sign' }] }, '/states/open/after/0/transition needs a person'],
    [{ after: [{ in: 'PT1S', transition: 'refund' }] }, '/states/open/after/0/transition needs arguments'],
    [{ after: [{ in: 'PT1S', transition: 'strict' }] }, '/states/open/after/0/transition needs arguments'],
  ])('are refused with a pointer: %j', (open, problem) => {
    expect(problemsOf(open)).toEqual([expect.stringContaining(problem)]);
  });

  it.each(['x', 'sign', 'refund', 'strict'])(
    'expire to no transition that time cannot execute: %s',
    (name) => {
      const own = { expireIn: 'PT1S', onExpiry: { transition: name } };
      const pointer = '/people/onExpiry/transition';
      expect(problemsOf({ people: own })).toEqual([expect.stringContaining(`/states/open${pointer}`)]);
      expect(problemsOf({}, { people: own })).toEqual([expect.stringContaining(`invalid ${pointer}`)]);
    },
  );

  it('execute nothing where sessions rest', () => {
    const after = [{ in: 'PT1S', transition: 'again' }];
    const done = { transitions: { again: { target: 'open' } }, after };
    const resting = [
      expect.stringContaining('invalid /states/done/after is in a state in which sessions rest'),
    ];
    expect(problemsOf({}, { states: { open: { transitions }, done } })).toEqual(resting);
    expect(problemsOf({}, { states: { open: { transitions }, done: { after } } })).toEqual(resting);
  });

  it('raise the schema version of the event that holds them', () => {
    const open = { transitions: { pay: transitions.pay } };
    const states = { open, done: {} };
    expect(versionWithMachine({ ...machine, states })).toBe(1);
    const after = [{ in: 'PT1S', transition: 'pay' }];
    expect(versionWithMachine({ ...machine, states: { ...states, open: { ...open, after } } })).toBe(2);
    expect(versionWithMachine({ ...machine, states, people: { dueIn: 'PT1S' } })).toBe(2);
  });
});
