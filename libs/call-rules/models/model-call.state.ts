import type { BudgetCheck } from '../budget-check.rules.js';
import type { Completion } from '../read-reply.js';
import type { LlmCallCompleted } from '../llm/llm-call.events.js';
import type { ModelFallback } from './model-call.events.js';
import type { ModelFailure } from './model-retries.rules.js';
import type { ModelRoute } from './model-route.js';
import type { ModelAsk, Spent } from './spent.js';

/** The phase of a call: what it waits for, or its result. */
export type Phase =
  /** the budget; `check` once that is asked for */
  | { readonly at: 'checking'; readonly check?: BudgetCheck }
  | { readonly at: 'calling' }
  | { readonly at: 'waiting'; readonly delayMs: number }
  /** to these routes */
  | {
      readonly at: 'falling-back';
      readonly fallback: ModelFallback['data'];
      readonly routes: ModelAsk['routes'];
    }
  | {
      readonly at: 'answered';
      readonly completion: Completion;
      readonly reply: LlmCallCompleted['data'];
    }
  | { readonly at: 'failed'; readonly failure: ModelFailure }
  /** A reply that an older release took whole has more than is taken from a reply. */
  | { readonly at: 'not-derived' };

/**
 * Asking a model until there is a completion: attempts, the waits between them, then its backups. The rules of `planner` and `code` embed
 * this: they make the body, and read the completion. Scripts use `askedModel`.
 */
export interface ModelCallState extends ModelAsk {
  /** The attempt of the request that is open or comes next, counted over all models. */
  readonly attempt: number;
  /** The failures of the first of the routes. */
  readonly failures: number;
  readonly interruptions: number;
  /** The checks of the budget. */
  readonly checks: number;
  /** Members of the body of the open request. */
  readonly sent: readonly string[];
  readonly phase: Phase;
  readonly spent: Spent;
}

/** The model that is asked now. */
export function routeOf({ routes }: Pick<ModelAsk, 'routes'>): ModelRoute {
  return routes[0] as ModelRoute;
}
