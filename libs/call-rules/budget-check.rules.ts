// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import { type ActivityFailure, activityFailureMembers, type ActivityRules } from '#lib/workflow';
import type { Event, JsonObject } from '#lib/kernel';

/** Tokens of input and output, and their cost. */
export type Spending = { readonly tokens: number; readonly costUSD: number };

/** The most that calls may use together. At least one member is set. */
export type BudgetMax = { readonly maxTokens?: number; readonly maxUSD?: number };

/** The calls whose spending counts: those of a specialist, in its session or on the day of the check. */
export type BudgetScope = {
  readonly per: 'call' | 'session' | 'day';
  readonly machineName: string;
  readonly specialistId: string;
  /** The id of a session or an evaluation. */
  readonly sessionId: string;
};

/** The input of a check. It is made before each call of a model that has a budget. */
export type BudgetCheck = BudgetScope & {
  readonly max: BudgetMax;
  /** The most that the call may use, by the length of its body. */
  readonly estimate: Spending;
};

/** The amount that a specialist has spent is about to be read. */
export type BudgetCheckRequested = Event<'BudgetCheckRequested', { readonly stepId: string } & BudgetCheck>;

/** The spending before the call, from the read models. Calls that report no usage count as zero. */
export type BudgetChecked = Event<
  'BudgetChecked',
  { readonly stepId: string; readonly spent: Spending; readonly max: BudgetMax }
>;

/** The spending could not be read. */
export type BudgetCheckFailed = Event<
  'BudgetCheckFailed',
  { readonly stepId: string; readonly failure: ActivityFailure }
>;

const max = { maxTokens: 'structure', maxUSD: 'structure' } as const;

const definitions: DeclaredEvents<BudgetCheckRequested | BudgetChecked | BudgetCheckFailed> = {
  BudgetCheckRequested: {
    version: 1,
    members: {
      stepId: 'structure',
      per: 'structure',
      machineName: 'structure',
      specialistId: 'structure',
      sessionId: 'structure',
      max,
      estimate: { tokens: 'derived', costUSD: 'derived' },
    },
  },
  BudgetChecked: {
    version: 1,
    members: { stepId: 'structure', spent: { tokens: 'structure', costUSD: 'structure' }, max },
  },
  BudgetCheckFailed: { version: 1, members: { stepId: 'structure', failure: activityFailureMembers } },
};

/** The events of budget checks, and how their outcomes are recorded. */
export const budgetCheckRules: ActivityRules = {
  name: 'budget',
  events: {
    requested: 'BudgetCheckRequested',
    completed: 'BudgetChecked',
    failed: 'BudgetCheckFailed',
  },
  definitions,
  request: (input) => input as JsonObject & BudgetCheck,
  checkIntegrity: () => undefined,
  isSafeToRepeat: () => true,
};
