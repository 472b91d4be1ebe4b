import { expect, it } from '@jest/globals';
import { selectedRevision } from './fork-value.js';

it.each([
  ['redial_session-1@3', 3],
  ['redial_session-1@0', 0],
  ['redial_session-2@3', undefined],
  ['redial_session-1@x', undefined],
  ['redial_session-1@', undefined],
  ['redial_session-1', undefined],
  [undefined, undefined],
])('a fork begins after the selected event of its stream, and %s is %s', (event, revision) => {
  expect(selectedRevision(event, '1')).toBe(revision);
});
