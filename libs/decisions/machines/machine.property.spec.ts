import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { jsonText } from '#lib/kernel';
import { arbitraryMachine } from './testing/arbitrary-machine.js';
import { checkArguments } from './check-arguments.js';
import { inspectMachine } from './inspect-machine.js';
import type { MachineDefinition } from './machine-definition.js';
import { machineDiagram } from './machine-diagram.js';
import { machineHash } from './machine-hash.js';
import { isAtRest, transitionsOf } from './machine-reading.js';
import { normalizeMachine } from './normalize-machine.js';

const json = fc.jsonValue();
/** Values that are nearly machines: one member, at any depth, is replaced by any JSON. */
const nearMachine = fc.tuple(arbitraryMachine, json, fc.nat()).map(([machine, value, place]) => {
  let left = place % 12;
  return JSON.parse(jsonText(machine), (_, member: unknown) => (left-- === 0 ? value : member)) as unknown;
});

const keywords = fc.constantFrom(
  ...'type properties required items enum const pattern format allOf not if unevaluatedProperties __proto__'.split(
    ' ',
  ),
  ...'$ref $id $anchor $defs $schema $async $dynamicRef'.split(' '),
);
const keywordValue = fc.oneof(
  json,
  fc.constantFrom('object', 'string', '#', '#/$defs/a', true, ['a'], { a: { $ref: '#' } }),
);
/** Objects with the members of JSON Schemas: some are usable, most are not. */
const schema = fc.dictionary(keywords, keywordValue, { maxKeys: 4, noNullPrototype: true });

const someArguments = fc.dictionary(fc.constantFrom('a', '__proto__', 'toString'), json, {
  noNullPrototype: true,
});

function throughText<T>(value: T): T {
  return JSON.parse(jsonText(value)) as T;
}

function reversed(machine: MachineDefinition): MachineDefinition {
  return { ...machine, states: Object.fromEntries(Object.entries(machine.states).toReversed()) };
}

describe('every machine', () => {
  it('is found valid, written or normalized', () => {
    fc.assert(
      fc.property(arbitraryMachine, (machine) => {
        expect(inspectMachine(machine).errors).toEqual([]);
        expect(inspectMachine(normalizeMachine(machine)).errors).toEqual([]);
      }),
    );
  });

  it('normalizes to the same machine when normalized again', () => {
    fc.assert(
      fc.property(arbitraryMachine, (machine) => {
        const once = normalizeMachine(machine);
        expect(jsonText(normalizeMachine(once))).toBe(jsonText(once));
      }),
    );
  });

  it('keeps every state and every transition when normalized', () => {
    fc.assert(
      fc.property(arbitraryMachine, (machine) => {
        const normalized = normalizeMachine(machine);
        expect(Object.keys(normalized.states)).toEqual(Object.keys(machine.states));
        for (const [name, state] of Object.entries(machine.states)) {
          expect(Object.keys(transitionsOf(normalized, name))).toEqual(Object.keys(state.transitions ?? {}));
        }
      }),
    );
  });

  it('has a hash that changes exactly when its JSON text does', () => {
    fc.assert(
      fc.property(arbitraryMachine.map(normalizeMachine), (machine) => {
        const other = reversed(machine);
        expect(machineHash(other) === machineHash(machine)).toBe(jsonText(other) === jsonText(machine));
      }),
    );
  });

  it('has a diagram, the same each time, of one line for each state, each transition, start and goal', () => {
    fc.assert(
      fc.property(arbitraryMachine.map(normalizeMachine), (machine) => {
        const states = Object.keys(machine.states);
        const transitions = states.flatMap((name) => Object.keys(transitionsOf(machine, name)));
        const lines = machineDiagram(machine).split('\n');
        expect(lines).toHaveLength(states.length + transitions.length + 4);
        expect(machineDiagram(machine)).toBe(lines.join('\n'));
        for (const line of lines.slice(1, -1)) {
          expect(line).toMatch(
            /^ {4}(state "[^":\n]+" as s\d+|(\[\*\]|s\d+) --> (\[\*\]|s\d+)( : [^:\n]+)?)$/,
          );
        }
      }),
    );
  });

  it('is at rest in a state with ways out only at its goal', () => {
    fc.assert(
      fc.property(arbitraryMachine.map(normalizeMachine), (machine) => {
        for (const name of Object.keys(machine.states)) {
          const stuck = Object.keys(transitionsOf(machine, name)).length === 0;
          expect(isAtRest(machine, name)).toBe(stuck || name === machine.goalState);
        }
      }),
    );
  });
});

describe('any JSON value', () => {
  it('is inspected without a throw, and valid exactly when there are no errors', () => {
    fc.assert(
      fc.property(fc.oneof(json, nearMachine), (value) => {
        const { valid, errors } = inspectMachine(value);
        expect(valid).toBe(errors.length === 0);
      }),
    );
  });

  it('is taken in parameters and in arguments without a throw', () => {
    fc.assert(
      fc.property(schema, someArguments, (parameters, args) => {
        const errors = checkArguments(parameters, args);
        expect(checkArguments(throughText(parameters), args)).toEqual(errors);
        expect(throughText(errors)).toEqual(errors);
      }),
    );
  });
});
