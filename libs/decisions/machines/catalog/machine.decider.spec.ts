import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { fold } from '#lib/kernel';
import { specify } from '#lib/kernel/testing';
import type { MachineDefinition } from '../machine-definition.js';
import { machineHash } from '../machine-hash.js';
import { type MachineCommand, machineDecider, machineVersion } from './machine.decider.js';
import { type MachineEvent, machineEventDefinitions } from './machine.events.js';

const { given } = specify(machineDecider);

function machine(prompt: string): MachineDefinition {
  return { machineName: 'm', initialState: 'a', goalState: 'a', states: { a: { prompt } } };
}
function define(definition: MachineDefinition): MachineCommand {
  return { type: 'DefineMachine', data: { definition, specialistVersions: { ann: 3 } } };
}
function defined(version: number, definition: MachineDefinition): MachineEvent {
  const specialistVersions = { ann: 3 };
  const data = { machineName: 'm', version, hash: machineHash(definition), definition, specialistVersions };
  return { type: 'MachineDefined', data };
}
const [one, two] = [machine('one'), machine('two')];

describe('machine decider', () => {
  it('makes a first definition version 1', () => {
    given([])
      .when(define(one))
      .then([defined(1, one)]);
  });

  it('does nothing for the current definition again', () => {
    given([defined(1, one)])
      .when(define(structuredClone(one)))
      .thenNothing();
  });

  it('makes a changed definition the next version', () => {
    given([defined(1, one)])
      .when(define(two))
      .then([defined(2, two)]);
  });

  it('X-T3: makes the version of an older definition the current one again', () => {
    const again = { type: 'MachineDefinedAgain', data: { machineName: 'm', version: 1 } } as const;
    given([defined(1, one), defined(2, two)])
      .when(define(one))
      .then([again]);
    given([defined(1, one), defined(2, two), again])
      .when(define(one))
      .thenNothing();
    expect(machineVersion(fold(machineDecider, [defined(1, one), defined(2, two), again]))?.version).toBe(1);
  });

  it('keeps every version, so that a session can start from an old one', () => {
    const state = fold(machineDecider, [defined(1, one), defined(2, two)]);
    expect(machineVersion(state, 1)?.definition).toEqual(one);
    expect(machineVersion(state)).toEqual({
      version: 2,
      hash: machineHash(two),
      definition: two,
      specialistVersions: { ann: 3 },
    });
    expect(machineVersion(state, 3)).toBeUndefined();
    expect(machineVersion(machineDecider.initialState)).toBeUndefined();
  });

  it('keeps its state at an unknown event', () => {
    const state = fold(machineDecider, [defined(1, one)]);
    const unknown = JSON.parse('{"type":"MachineErased","data":{}}') as MachineEvent;
    expect(machineDecider.evolve(state, unknown)).toBe(state);
  });

  it('rebuilds a command from the events it led to', () => {
    expect(machineDecider.record(define(one), [defined(1, one)])).toEqual({});
    expect(machineDecider.rebuild({}, [defined(1, one)])).toEqual(define(one));
    expect(() => machineDecider.rebuild({}, [])).toThrow('no MachineDefined event was given');
  });

  it('has an entry in the event catalogue for each of its events', () => {
    expect(Object.keys(machineEventDefinitions)).toEqual(['MachineDefined', 'MachineDefinedAgain']);
  });

  it('gives no event for a repeated command after any history, and numbers versions without gaps', () => {
    const commands = fc.array(
      fc.constantFrom('a', 'b', 'c').map((prompt) => define(machine(prompt))),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(commands, (sequence) => {
        const history: MachineEvent[] = [];
        for (const command of sequence) {
          history.push(...(machineDecider.decide(command, fold(machineDecider, history)) as MachineEvent[]));
          expect(machineDecider.decide(command, fold(machineDecider, history))).toEqual([]);
        }
        const made = history.filter(({ type }) => type === 'MachineDefined');
        expect(made.map(({ data }) => data.version)).toEqual(made.map((_, index) => index + 1));
      }),
    );
  });
});
