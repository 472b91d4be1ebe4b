import { describe, expect, it } from '@jest/globals';
import { machineLimits } from '#lib/json-schema';
import { inspectMachine } from '../inspect-machine.js';
import type { MachineInput } from '../machine-definition.js';
import { machineHash } from '../machine-hash.js';
import { normalizeMachine } from '../normalize-machine.js';
import type { MachineProperty } from './property.js';
import { proveMachine } from './prove-machine.js';

const model = { role: 'proposer', specialistId: 'model', strategyFnName: 'firstAvailable' } as const;
const person = { role: 'proposer', specialistId: 'ann', isHuman: true } as const;

const refunds = (over: object = {}): MachineInput => ({
  machineName: 'refunds',
  initialState: 'asked',
  goalState: 'closed',
  states: {
    asked: { transitions: { check: 'checked', pay: { target: 'paid', needsPerson: true } } },
    checked: { transitions: { pay: { target: 'paid', needsPerson: true }, back: 'asked' } },
    paid: { transitions: { close: 'closed' } },
    closed: {},
  },
  specialists: [model, person],
  ...over,
});
const proved = (machine: MachineInput, ...asked: MachineProperty[]) =>
  proveMachine(normalizeMachine(machine), asked);

describe('a property of a machine', () => {
  it.each<[string, MachineProperty]>([
    ['a state is never reached', { never: 'lost' }],
    ['one state comes before another', { before: ['paid', 'closed'] }],
    ['people alone execute a transition', { people: ['asked', 'pay'] }],
    ['a state can always be reached', { reaches: 'closed' }],
  ])('holds: %s', (_, property) => {
    const states = { ...refunds().states, lost: { transitions: { close: 'closed' } } };
    expect(proved(refunds({ states }), property).properties).toEqual([{ property, holds: true }]);
  });

  const check = { from: 'asked', transition: 'check', to: 'checked' };
  const pay = { from: 'asked', transition: 'pay', to: 'paid' };

  it.each<[MachineProperty, readonly object[]]>([
    [{ never: 'paid' }, [pay]],
    [{ never: 'asked' }, []],
    [{ before: ['checked', 'paid'] }, [pay]],
    [{ people: ['checked', 'back'] }, [check, { from: 'checked', transition: 'back', to: 'asked' }]],
    [{ reaches: 'checked' }, [pay]],
  ])('that does not hold has a shortest counterexample: %j', (property, counterexample) => {
    expect(proved(refunds(), property).properties).toEqual([{ property, holds: false, counterexample }]);
  });

  it.each([
    ['a condition', { needsPerson: { if: 'args.amount > 5' } }, {}],
    ['a timer of the state', { needsPerson: true }, { after: [{ in: 'PT1H', transition: 'pay' }] }],
    ['an expiry', { needsPerson: true }, { people: { expireIn: 'PT1H', onExpiry: { transition: 'pay' } } }],
  ])('is not that people alone execute a transition if it has %s', (_, rule, ofState) => {
    const asked = { transitions: { pay: { target: 'paid', ...rule } }, ...ofState };
    const machine = refunds({ states: { ...refunds().states, asked } });
    expect(proved(machine, { people: ['asked', 'pay'] }).properties).toMatchObject([
      { holds: false, counterexample: [pay] },
    ]);
  });
});

describe('a state is undecidable', () => {
  const paid = { transitions: { close: { target: 'closed', needsPerson: true } } };
  const states = { ...refunds().states, paid };
  const why = (over: object) => proved(refunds(over)).undecidable;

  it('if every transition needs a person and none is declared', () => {
    expect(why({ states, specialists: [model] })).toEqual([
      { state: 'paid', why: expect.stringContaining('needs a person') },
    ]);
    expect(why({ states })).toEqual([]);
    expect(why({ states, specialists: [model], people: { groups: ['desk'] } })).toEqual([]);
  });

  it('if its quorum is above its declared proposers, unless a timer or a person decides', () => {
    const alone = { specialists: [model], quorum: 2 };
    expect(why(alone).map(({ state }) => state)).toEqual(['asked', 'checked', 'paid']);
    expect(why({ ...alone, specialists: [model, person] })).toEqual([]);
    const timed = { ...refunds().states.paid, after: [{ in: 'PT1H', transition: 'close' }] };
    expect(why({ ...alone, states: { ...refunds().states, paid: timed } }).map(({ state }) => state)).toEqual(
      ['asked', 'checked'],
    );
  });

  it('if it asks for trust that nobody can earn', () => {
    const trust = { minComparisons: 3 };
    const judge = {
      role: 'arbiter',
      specialistId: 'judge',
      strategyFnName: 'firstProposal',
    } as const;
    expect(why({ specialists: [model, judge], trust })).toMatchObject([
      { state: 'asked', why: expect.stringContaining('trust') },
      { state: 'checked' },
      { state: 'paid' },
    ]);
    expect(why({ specialists: [model, judge, person], trust })).toEqual([]);
  });
});

describe('a definition that states properties', () => {
  const properties: readonly MachineProperty[] = [{ reaches: 'closed' }, { before: ['checked', 'paid'] }];

  it('is valid if all hold', () => {
    expect(inspectMachine(refunds({ properties: properties.slice(0, 1) }))).toMatchObject({ valid: true });
  });

  it('is refused for each that does not hold, with the way and a pointer', () => {
    expect(inspectMachine(refunds({ properties }))).toMatchObject({
      valid: false,
      errors: [
        {
          path: '/properties/1',
          message: 'does not hold: {"before":["checked","paid"]}, by asked -pay-> paid',
          counterexample: [{ from: 'asked', transition: 'pay', to: 'paid' }],
        },
      ],
    });
  });

  it.each([
    [{ never: 'nowhere' }, '/properties/0/never'],
    [{ before: ['asked', 'nowhere'] }, '/properties/0/before/1'],
    [{ people: ['asked', 'fly'] }, '/properties/0/people/1'],
    [{ people: ['nowhere', 'pay'] }, '/properties/0/people/0'],
    [{ reaches: '__proto__' }, '/properties/0/reaches'],
    [{ never: 'asked', reaches: 'closed' }, '/properties/0'],
    [{ always: 'asked' }, '/properties/0'],
  ])('names states and transitions that there are: %j', (property, path) => {
    const { valid, errors } = inspectMachine(refunds({ properties: [property] }));
    expect([valid, errors[0]?.path]).toEqual([false, expect.stringContaining(path)]);
  });

  it('has them in its hash; without any its hash is that of 0.2', () => {
    const hashOf = (over: object) => machineHash(normalizeMachine(refunds(over)));
    expect(hashOf({ properties: properties.slice(0, 1) })).not.toBe(hashOf({}));
    expect(normalizeMachine(refunds())).not.toHaveProperty('properties');
  });
});

describe('the largest machine', () => {
  const COUNT = Math.floor(machineLimits.parts / 2) - 10;
  const chain = Object.fromEntries(
    Array.from({ length: COUNT }, (_, n) => [`s${n}`, { transitions: { on: `s${(n + 1) % COUNT}` } }]),
  );
  const machine = refunds({ initialState: 's0', states: { ...chain, closed: {} }, specialists: [] });

  it('is proved with a hundred properties; counterexamples have at most 2,400 steps together', () => {
    const asked = Array.from({ length: 100 }, () => ({ never: `s${COUNT - 1}` }));
    const { deadEnds, loopsWithoutPeople, properties } = proved(machine, ...asked);
    expect([deadEnds.length, loopsWithoutPeople.map((loop) => loop.length)]).toEqual([COUNT, [COUNT]]);
    const steps = properties.reduce((sum, { counterexample = [] }) => sum + counterexample.length, 0);
    expect(properties.every(({ holds }) => !holds)).toBe(true);
    expect(steps).toBeGreaterThan(0);
    expect(steps).toBeLessThanOrEqual(2_400);
  });
});
