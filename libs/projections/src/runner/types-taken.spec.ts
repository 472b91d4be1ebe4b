import { describe, expect, it } from '@jest/globals';
import { projections } from '../projections.js';
import { typesTaken } from './projection.js';

describe('the types of events that a projection takes', () => {
  it('are those it has a handler for, of all categories', () => {
    const on = {
      session: { SessionCreated: () => [], TransitionExecuted: undefined },
      specialist: { SpecialistEnabled: () => [] },
    };
    const onRuns = () => ({ WorkflowEnded: () => [] });
    expect(typesTaken({ on, onRuns })).toEqual(['SessionCreated', 'SpecialistEnabled', 'WorkflowEnded']);
  });

  it('cannot be named when it takes all of a category', () => {
    expect(typesTaken({ on: { session: () => [], specialist: {} } })).toBeUndefined();
    expect(typesTaken({ on: {}, onRuns: () => () => [] })).toBeUndefined();
  });
});

// A new version is filled beside the old one, so it cannot share a table with it.
it.each(projections)('the tables of the projection $name end in its version', ({ version, tables }) => {
  expect(tables.map(({ name }) => name).filter((name) => !name.endsWith(`_v${version}`))).toEqual([]);
});
