import { type PlannerBytes, plannerBytes } from '#lib/planner/testing';
import type { Benchmark, Observation } from '../comparison.js';

const ROUNDS = 50;

/** The bytes of a planner run, beside a recording in which each request holds its whole list of messages. */
export const bytes: Benchmark = {
  name: 'bytes',
  async open() {
    return {
      comparisons: [],
      observe: async () => [0, 2_000].flatMap((chars) => observations(chars, plannerBytes(ROUNDS, chars))),
      close: async () => undefined,
    };
  },
};

function observations(chars: number, { recorded, naive, content }: PlannerBytes): readonly Observation[] {
  const what = `of ${ROUNDS} rounds with arguments of ${chars} characters, to its new content`;
  return [
    {
      name: `bytes-planner-${chars}`,
      value: recorded / content,
      unit: 'times',
      observed: `a planner run ${what}`,
    },
    {
      name: `bytes-planner-${chars}-naive`,
      value: naive / content,
      unit: 'times',
      observed: `the naive recording of a run ${what}`,
    },
  ];
}
