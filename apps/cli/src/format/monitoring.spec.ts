import { expect, it } from '@jest/globals';
import { evaluationLines } from './monitoring.js';

const evaluation = {
  evaluationId: 'e',
  specialistId: 'ann',
  specialistVersion: 1,
  specialistMachine: 'quarrel',
  machineName: 'quarrel',
  against: 'decisions',
  startedAt: '2026-01-01T00:00:00.000Z',
  rounds: 2,
  samples: [],
} as const;

it('an evaluation that has no result yet, or gets none, says so in place of numbers', () => {
  expect(evaluationLines({ ...evaluation, status: 'running' }).slice(0, 3)).toEqual([
    'ann in 2 rounds of quarrel, against decisions',
    '  status           running',
    '  same transition  -',
  ]);
  const failure = { kind: 'cancelled', message: 'The evaluation was cancelled.' };
  expect(evaluationLines({ ...evaluation, status: 'failed', failure })[1]).toBe(
    '  status           failed: The evaluation was cancelled.',
  );
});
