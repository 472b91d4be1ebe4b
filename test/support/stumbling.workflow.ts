import type { Rules, Workflow } from '#lib/workflow';

/** Whether runs stumble, for all of them: a test takes the obstacle away. */
export const obstacle = { isThere: true };

const rules: Rules<object> = {
  input: { type: 'object' },
  initialState: () => ({}),
  evolve: (state) => state,
  next: () => {
    if (obstacle.isThere) throw new Error('the price of the order is missing');
    return [{ do: 'end', result: 'arrived' }];
  },
};

/** Throws, as a workflow with a bug does, while there is an obstacle. */
export const stumbling: Workflow<object> = { name: 'stumbling', versions: { 1: rules } };
