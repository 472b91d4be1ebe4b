import { excludesCreator, type PeoplePolicy, PROPOSERS, timesProblems } from '#lib/candidates';
import { Conditions } from '#lib/expressions';
import type { JsonObject, Problem } from '#lib/kernel';
import type { RunFork } from '#lib/workflow';
import type { ToolApproval, ToolPolicy } from './tools.events.js';

const conditions = new Conditions({ args: 'map' });

/** Whether people must allow a call with these arguments before it is made. */
export function needsApproval({ needsApproval: rule = false }: ToolPolicy, args: JsonObject): boolean {
  if (typeof rule === 'boolean') return rule;
  return rule.if === undefined || conditions.holds(rule.if, { args });
}

/** The people who allow calls, if the policy names them. */
export function approvers({ needsApproval: rule = false }: ToolPolicy = {}): PeoplePolicy | undefined {
  if (typeof rule === 'boolean') return undefined;
  const { if: _, ...people } = rule;
  return Object.keys(people).length > 0 ? people : undefined;
}

/** Whether a fork holds the call, so that people must allow it first: `approvers`, or any person if the policy names none. */
export function isHeld({ readOnly }: ToolPolicy, fork: RunFork | undefined): boolean {
  return fork?.effects === 'hold' && readOnly !== true;
}

/** Whether the person who started a run may not allow its calls. */
export function isCreatorNeeded(policy: ToolPolicy): boolean {
  return excludesCreator(approvers(policy));
}

export function approvalProblems({ needsApproval: rule = false }: ToolPolicy): readonly Problem[] {
  if (typeof rule === 'boolean') return [];
  return [
    ...conditionProblems(rule),
    ...exclusionProblems(rule),
    ...timesProblems('/policy/needsApproval', rule),
  ];
}

function conditionProblems({ if: text }: ToolApproval): readonly Problem[] {
  const message = text === undefined ? undefined : conditions.problem(text);
  return message === undefined ? [] : [{ path: '/policy/needsApproval/if', message }];
}

/** A word that excludes no person would be mistaken for a rule. */
function exclusionProblems({ exclude = [] }: ToolApproval): readonly Problem[] {
  const message = 'names proposers, which a call has not: they are of rounds';
  return exclude.includes(PROPOSERS) ? [{ path: '/policy/needsApproval/exclude', message }] : [];
}
