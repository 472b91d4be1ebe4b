import { IsIn, IsString } from 'class-validator';
import { Describe, IsTime, items, Operation, Optional, ReadQuery, readsRows } from '#lib/operations';
import { decisionsByDay } from '#lib/read-models';
import { DecisionDay } from './monitoring.views.js';

@Operation({
  summary: 'The decisions of each UTC day by who made them, the newest day first; at most 10,000 lines',
  http: 'GET /v1/decision-days',
  cli: 'decision-days --machine <machineName>',
  mcp: false,
  access: 'viewer',
  answers: { 200: items(DecisionDay) },
})
export class GetDecisionDays extends ReadQuery<{ readonly items: readonly DecisionDay[] }> {
  @Describe('Only of this machine')
  @Optional()
  @IsString()
  machineName?: string;

  @Describe('A line for each day, machine and state, or for each day', { default: 'state' })
  @Optional()
  @IsIn(['state', 'day'])
  by?: 'state' | 'day';

  @Describe('From the UTC day of this time on')
  @Optional()
  @IsTime()
  from?: string;

  @Describe('On UTC days that began before this time')
  @Optional()
  @IsTime()
  to?: string;
}

export const GetDecisionDaysHandler = readsRows(GetDecisionDays, ['sessions'], async (db, query) => ({
  items: await decisionsByDay(db, query),
}));
