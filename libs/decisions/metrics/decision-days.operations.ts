import { Query } from '@nestjs/cqrs';
import { input, is, items, Operation, readMembers, readsRows } from '#lib/operations';
import { decisionsByDay } from '#lib/read-models';
import { DecisionDay } from './monitoring.views.js';

@Operation({
  summary: 'The decisions of each UTC day by author, the newest day first; at most 10,000 lines',
  http: 'GET /v1/decision-days',
  cli: 'decision-days --machine <machineName>',
  mcp: false,
  access: 'viewer',
  answers: { 200: items(DecisionDay) },
})
export class GetDecisionDays extends input(Query<{ readonly items: readonly DecisionDay[] }>, {
  machineName: is.text.optional.about('Only of this machine'),
  by: is
    .oneOf(['state', 'day'])
    .optional.about('A line for each day, machine and state, or for each day', { default: 'state' }),
  from: is.time.optional.about('From the UTC day of this time on'),
  to: is.time.optional.about('On UTC days that began before this time'),
  ...readMembers,
}) {}

export const GetDecisionDaysHandler = readsRows(GetDecisionDays, ['sessions'], async (db, query) => ({
  items: await decisionsByDay(db, query),
}));
