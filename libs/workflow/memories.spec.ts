import { expect, it } from '@jest/globals';
import { ActivityRegistry } from './activity/activity-registry.js';
import type { ActivityRules } from './activity/activity.js';
import { Memories } from './memories.js';

const GIVEN = { input: 'input', facts: {}, context: null };

/** An activity that remembers the run's given values and the steps of its calls. `folded` lists each step that it got. */
function remembering() {
  const folded: string[] = [];
  const rules: ActivityRules<readonly unknown[]> = {
    name: 'echo',
    events: { requested: 'Requested', completed: 'Completed', failed: 'Failed' },
    definitions: {},
    memory: {
      begin: ({ input }) => [input],
      evolve: (memory, { data: { stepId } }) => {
        folded.push(stepId);
        return [...memory, stepId];
      },
    },
    request: () => ({}),
    checkIntegrity: () => undefined,
    isSafeToRepeat: () => true,
  };
  return { folded, none: new Memories(new ActivityRegistry([rules]), GIVEN) };
}

function afterSteps(memories: Memories, ...steps: readonly string[]): Memories {
  return steps.reduce((known, stepId) => known.after({ type: 'Requested', data: { stepId } }), memories);
}

it('folds the events of calls when a memory is asked for, each once, in their order', () => {
  const { none, folded } = remembering();
  const two = afterSteps(none, 'a', 'b');
  expect(folded).toEqual([]);
  expect(two.of('echo')).toEqual(['input', 'a', 'b']);
  expect(afterSteps(two, 'c').of('echo')).toEqual(['input', 'a', 'b', 'c']);
  expect(two.of('echo')).toEqual(['input', 'a', 'b']);
  expect(none.of('echo')).toEqual(['input']);
  expect(folded).toEqual(['a', 'b', 'c']);
});

it('does not keep more than 16 events waiting', () => {
  const { none, folded } = remembering();
  const steps = Array.from({ length: 40 }, (_, index) => `${index}`);
  const all = afterSteps(none, ...steps);
  expect(folded).toHaveLength(32);
  expect(all.of('echo')).toEqual(['input', ...steps]);
});
