import { describe, expect, it } from '@jest/globals';
import { EventCodec } from '#lib/event-store';
import { inspectMachine } from './inspect-machine.js';
import type { MachineInput } from './machine-definition.js';
import {
  machineEventDefinitions,
  RESTRICTING_MEMBERS,
  versionWithMachine,
} from './catalog/machine.events.js';
import { needsPerson } from './needs-person.js';
import { peopleOf } from './machine-reading.js';

const machine = {
  machineName: 'pay',
  initialState: 'open',
  goalState: 'done',
  states: { open: { transitions: { pay: { target: 'done' } } }, done: {} },
} as const;

function problemsOf(over: object): string[] {
  const { errors } = inspectMachine({ ...machine, ...over });
  return errors.map(({ kind, path, message }) => `${kind} ${path} ${message}`);
}
const withTransition = (members: object) => ({
  states: { open: { transitions: { pay: { target: 'done', ...members } } }, done: {} },
});
const values = { args: { amount: 7 }, metaJson: { vip: true }, session: {} };
const isNeeded = (rule: string) => needsPerson({ needsPerson: { if: rule } }, () => values);

describe('the people of a definition', () => {
  it('are named by group and person, excluded by word or person, counted, and have a priority', () => {
    const people = {
      groups: ['buyers'],
      people: ['ann'],
      exclude: ['creator', 'bob'],
      approvals: 2,
      priority: 0,
    };
    expect(problemsOf({ people })).toEqual([]);
    expect(problemsOf({ states: { ...machine.states, open: { ...machine.states.open, people } } })).toEqual(
      [],
    );
  });

  it.each([
    [{ people: { approvals: 0 } }, 'invalid /people/approvals must be >= 1'],
    [{ people: { priority: 101 } }, 'invalid /people/priority must be <= 100'],
    [{ people: { groups: ['no name'] } }, 'invalid /people/groups/0 must match'],
    [{ people: { approvals: '2' } }, 'malformed /people/approvals must be of type integer'],
    [withTransition({ needsPerson: false }), 'invalid /states/open/transitions/pay/needsPerson has a form'],
    [
      withTransition({ needsPerson: { if: 'args.' } }),
      'invalid /states/open/transitions/pay/needsPerson/if is no CEL',
    ],
    [withTransition({ needsPerson: { if: 'data.x == 1' } }), '/needsPerson/if is no CEL: Unknown variable'],
    [
      withTransition({ needsPerson: { if: 'args.a'.padEnd(3000) } }),
      '/needsPerson/if has more than 2048 characters',
    ],
    [withTransition({ needsPerson: {} }), '/needsPerson/if is missing'],
  ])('are refused with a pointer: %j', (over, problem) => {
    expect(problemsOf(over)).toEqual([expect.stringContaining(problem)]);
  });

  it('of a state replace those of the machine as a whole', () => {
    const people = { groups: ['a'], approvals: 2 };
    const states = { ...machine.states, open: { ...machine.states.open, people: { people: ['ann'] } } };
    expect(peopleOf({ states, people }, 'open')).toEqual({ people: ['ann'] });
    expect(peopleOf({ states, people }, 'done')).toEqual(people);
  });
});

describe('needsPerson', () => {
  it('is always, or as the expression over args, metaJson and session says', () => {
    expect(needsPerson({}, () => values)).toBe(false);
    expect(needsPerson({ needsPerson: true }, () => values)).toBe(true);
    expect(isNeeded('args.amount > 10')).toBe(false);
    expect(isNeeded('args.amount > 5 && metaJson.vip')).toBe(true);
  });

  it.each(['args.total > 5', 'args.amount', '"a" < 1', `args.list.all(x, ${'x == 1 && '.repeat(90)} true)`])(
    'fails closed: %s means yes',
    (rule) => expect(isNeeded(rule)).toBe(true),
  );
});

describe('members that restrict who decides', () => {
  it('are these: each raises the schema version of an event that holds the machine, so that 0.2 stops there', () => {
    expect(RESTRICTING_MEMBERS).toEqual({
      machine: ['people'],
      state: ['people', 'after'],
      transition: ['needsPerson'],
    });
    expect(versionWithMachine(machine)).toBe(1);
    expect(versionWithMachine({ ...machine, people: {} })).toBe(2);
    expect(versionWithMachine({ ...machine, states: { open: { people: {} } } })).toBe(2);
    expect(versionWithMachine({ ...machine, ...withTransition({ needsPerson: true }) })).toBe(2);
  });

  it('leave events without them readable for 0.2', () => {
    const codec = new EventCodec([machineEventDefinitions]);
    const metadata = {
      occurredAt: '2026-01-02T03:04:05.678Z',
      correlationId: 'pay',
      commandId: 'c',
      actor: 'operator',
    };
    const stored = (definition: MachineInput) => {
      const data = { machineName: 'pay', version: 1, hash: '', definition, specialistVersions: {} };
      const event = { type: 'MachineDefined', data };
      return codec.encode({ eventId: 'e', event, metadata }, 'machine-pay').metadata;
    };
    expect(stored(machine)).not.toContain('schemaVersion');
    expect(stored({ ...machine, people: { approvals: 2 } })).toContain('"schemaVersion":2');
  });
});
