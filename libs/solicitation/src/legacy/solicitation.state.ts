import type { ArgumentError } from '#lib/machine';
import type { ActivityFailure } from '#lib/legacy-workflow';
import type { Completion, FailedReply, Reply, ToolCall, Usage } from '#lib/calls';
import type { SolicitationFailure } from '#lib/session';
import type {
  CallRung,
  ContextRequested,
  LlmCallRequested,
  SolicitationStarted,
  StrategyCallRequested,
  WebhookCallRequested,
  WebhookPurpose,
} from './solicitation.events.js';

export type SolicitationRequest =
  LlmCallRequested | ContextRequested | StrategyCallRequested | WebhookCallRequested;

/** Where a solicitation stands: what the last event that matters left to be done. */
export type Stage =
  | { readonly at: 'start' }
  | { readonly at: 'context-ready' }
  | { readonly at: 'strategy-answered'; readonly result: unknown }
  /** a webhook gave nothing that can be taken; there is no rung below */
  | {
      readonly at: 'webhook-failed';
      readonly purpose: WebhookPurpose;
      readonly attempt: number;
      readonly failed: FailedReply<SolicitationFailure>;
    }
  /** a function failed; there is no rung below */
  | { readonly at: 'function-failed'; readonly failure: ActivityFailure }
  /** a rung was stepped down to */
  | { readonly at: 'rung'; readonly rung: 'text' | 'reask' }
  | { readonly at: 'replied'; readonly rung: CallRung; readonly attempt: number; readonly reply: Reply }
  | {
      readonly at: 'unanswered';
      readonly rung: CallRung;
      readonly attempt: number;
      readonly failure: ActivityFailure;
    }
  /** the reply's text is to be read as decision JSON */
  | { readonly at: 'decision'; readonly completion: Completion; readonly after: 'tools' | 'reask' }
  | { readonly at: 'ended' };

/** What a reask shows the model. */
export interface RefusedCall {
  readonly content: string;
  readonly call: ToolCall;
  readonly errors: readonly ArgumentError[];
}

export interface SolicitationState {
  readonly start: SolicitationStarted['data'];
  readonly stage: Stage;
  readonly pending?: SolicitationRequest;
  /** How many requests were made: the next one's number. */
  readonly requests: number;
  /** Milliseconds, over the outcomes of all calls to models and strategies; what makes the context does not count. */
  readonly latencyMs: number;
  /** Over all rungs; a member stays absent until some reply reports it. */
  readonly usage: Usage;
  /** In US dollars, over the calls of models whose price and usage are known; absent until one is. */
  readonly costUSD?: number;
  /** What a registered function or a webhook made of the context, once it did. */
  readonly contextText?: string;
  readonly refused?: RefusedCall;
}
