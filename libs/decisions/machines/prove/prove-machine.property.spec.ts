import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { normalizeMachine } from '../normalize-machine.js';
import type { MachineDefinition } from '../machine-definition.js';
import type { Step } from './machine-graph.js';
import type { MachineProperty } from './property.js';
import { proveMachine } from './prove-machine.js';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const name = fc.constantFrom(...NAMES);
const needsPerson = fc.constantFrom(undefined, true as const, { if: 'args.amount > 1' });
const transition = fc.record({ target: name, needsPerson }).map(({ target, needsPerson: rule }) => {
  return { target, ...(rule && { needsPerson: rule }) };
});
const transitions = fc.dictionary(fc.constantFrom('x', 'y', 'z'), transition, { maxKeys: 3 });
const states = fc
  .tuple(...NAMES.map(() => transitions))
  .map((all) => Object.fromEntries(all.map((one, index) => [NAMES[index] as string, { transitions: one }])));

const machines = fc
  .record({ initialState: name, goalState: name, states })
  .map((members) => normalizeMachine({ machineName: 'any', ...members }));
const properties = fc.array(
  fc.oneof(
    name.map((never) => ({ never })),
    fc.tuple(name, name).map((before) => ({ before })),
    name.map((reaches) => ({ reaches })),
  ),
  { maxLength: 4 },
);

/** A step with its rule. */
interface Taken extends Step {
  readonly isPersons: boolean;
}
type Walk = readonly Taken[];

function stepsFrom({ states: all, goalState }: MachineDefinition, from: string): Walk {
  if (from === goalState) return [];
  return Object.entries(all[from]?.transitions ?? {}).map(([label, { target: to, needsPerson: rule }]) => {
    return { from, transition: label, to, isPersons: rule === true };
  });
}

/** Every walk of a session from a state, up to the number of states of the machine, shortest first. */
function walksFrom(machine: MachineDefinition, start: string, keep: (step: Taken) => boolean = () => true) {
  const all: Walk[] = [[]];
  let longest: readonly Walk[] = all;
  for (let length = 0; length < NAMES.length; length++) {
    longest = longest.flatMap((walk) => {
      const steps = stepsFrom(machine, walk.at(-1)?.to ?? start).filter(keep);
      return steps.map((step) => [...walk, step]);
    });
    all.push(...longest);
  }
  return all;
}

const endOf = (start: string, walk: readonly Step[]) => walk.at(-1)?.to ?? start;
const endsOf = (machine: MachineDefinition, start: string) =>
  new Set(walksFrom(machine, start).map((walk) => endOf(start, walk)));

/** The length of the shortest walk that violates a property; undefined if it holds. */
function shortest(machine: MachineDefinition, property: MachineProperty): number | undefined {
  const { initialState } = machine;
  const isViolating = (walk: Walk) => {
    const end = endOf(initialState, walk);
    if ('never' in property) return end === property.never;
    if ('reaches' in property) return !endsOf(machine, end).has(property.reaches);
    const [first, second] = 'before' in property ? property.before : [];
    return end === second && [initialState, ...walk.map(({ to }) => to)].every((state) => state !== first);
  };
  return walksFrom(machine, initialState).find(isViolating)?.length;
}

const isWalk = (machine: MachineDefinition, walk: readonly Step[]) =>
  walk.every((step, index) => {
    const from = index === 0 ? machine.initialState : walk[index - 1]?.to;
    const found = stepsFrom(machine, step.from).find(({ transition: label }) => label === step.transition);
    return step.from === from && found?.to === step.to;
  });

describe('a proof says of 500 random machines what all of their walks say', () => {
  it('about states that are not reached, and those that never reach the goal', () => {
    fc.assert(
      fc.property(machines, (machine) => {
        const reached = endsOf(machine, machine.initialState);
        const { unreachable, deadEnds } = proveMachine(machine);
        expect(unreachable).toEqual(NAMES.filter((state) => !reached.has(state)));
        const dead = [...reached].filter((state) => !endsOf(machine, state).has(machine.goalState));
        expect(new Set(deadEnds)).toEqual(new Set(dead));
      }),
      { numRuns: 500 },
    );
  });

  it('about properties, with a shortest counterexample', () => {
    fc.assert(
      fc.property(machines, properties, (machine, asked) => {
        for (const { property, holds, counterexample } of proveMachine(machine, asked).properties) {
          expect([property, holds, counterexample?.length]).toEqual([
            property,
            shortest(machine, property) === undefined,
            shortest(machine, property),
          ]);
          expect(isWalk(machine, counterexample ?? [])).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('about loops without people: one for each part that has any', () => {
    fc.assert(
      fc.property(machines, (machine) => {
        const reached = endsOf(machine, machine.initialState);
        const alone = (step: Taken) => !step.isPersons;
        const isWay = (from: string, to: string) =>
          walksFrom(machine, from, alone).some((walk) => walk.length > 0 && walk.at(-1)?.to === to);
        const looping = [...reached].filter((state) => isWay(state, state));
        const { loopsWithoutPeople } = proveMachine(machine);
        for (const loop of loopsWithoutPeople)
          for (const [index, from] of loop.entries()) {
            const to = loop[(index + 1) % loop.length];
            expect(stepsFrom(machine, from).some((step) => alone(step) && step.to === to)).toBe(true);
            expect(reached.has(from)).toBe(true);
          }
        const partOf = (state: string) =>
          looping
            .filter((other) => other === state || (isWay(state, other) && isWay(other, state)))
            .toSorted()
            .join();
        const parts = loopsWithoutPeople.map(([first = '']) => partOf(first));
        expect(new Set(parts)).toEqual(new Set(looping.map(partOf)));
        expect(new Set(parts).size).toBe(parts.length);
      }),
      { numRuns: 500 },
    );
  });
});
