import { expect, it } from '@jest/globals';
import { layoutOf } from './layout.js';

it('a machine has a diagram whatever its states and transitions are named', () => {
  const states = {
    constructor: { transitions: { valueOf: 'toString', hasOwnProperty: 'length' } },
    length: { transitions: { constructor: 'toString' } },
    toString: {},
  };
  const machine = { machineName: 'odd', initialState: 'constructor', states };
  const step = { fromState: 'constructor', transitionName: 'valueOf', toState: 'toString' };
  const besides = { fromState: 'length', transitionName: 'left', toState: 'valueOf' };
  const { boxes, arrows } = layoutOf(machine, [step, besides]);
  expect(boxes.map(({ name }) => name)).toEqual(['constructor', 'length', 'toString']);
  expect(arrows.map(({ name, steps }) => [name, steps])).toEqual([
    ['valueOf', [1]],
    ['hasOwnProperty', []],
    ['constructor', []],
  ]);
});
