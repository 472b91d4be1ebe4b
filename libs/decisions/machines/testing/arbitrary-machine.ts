import * as fc from 'fast-check';
import type { MachineInput, TransitionInput } from '../machine-definition.js';

const hostile = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '"',
  'a;b',
  '[*]',
  'a/b~c',
  '\n',
);
const name = fc.oneof(fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), hostile);
const text = fc.string({ maxLength: 20 });
const machineName = fc.stringMatching(/^[a-z][a-z0-9._@-]{0,20}$/);
const parameters = fc.constantFrom(
  {},
  { type: 'object' },
  { type: 'object', properties: { why: { type: 'string' } }, required: ['why'], additionalProperties: false },
);

function transitionTo(stateNames: readonly string[]): fc.Arbitrary<TransitionInput> {
  const target = fc.constantFrom(...stateNames);
  const optional = {
    description: text,
    parameters,
    onInvalidArguments: fc.constantFrom('accept' as const, 'reject' as const, 'reask' as const),
  };
  return fc.oneof(target, fc.record({ target, ...optional }, { requiredKeys: ['target'] }));
}

/** An object with these members, even one called `__proto__`. */
function membersOf<T>(member: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc.array(fc.tuple(name, member), { maxLength: 4 }).map((members) => Object.fromEntries(members));
}

/** Valid machines as people write them, with difficult names. */
export const arbitraryMachine: fc.Arbitrary<MachineInput> = fc
  .uniqueArray(name, { minLength: 1, maxLength: 5 })
  .chain((stateNames) => {
    const stateName = fc.constantFrom(...stateNames);
    const state = fc.record(
      {
        prompt: text,
        transitions: membersOf(transitionTo(stateNames)),
        consensusThreshold: fc.constant(0.5),
      },
      { requiredKeys: [] },
    );
    const states = fc
      .array(state, { minLength: stateNames.length, maxLength: stateNames.length })
      .map((bodies) => Object.fromEntries(stateNames.map((key, index) => [key, bodies[index] ?? {}])));
    const common = {
      machineName,
      initialState: stateName,
      states,
    };
    return fc.oneof(
      fc.record({ ...common, goalState: stateName }),
      fc.record({ ...common, defaultState: stateName }),
    );
  });
