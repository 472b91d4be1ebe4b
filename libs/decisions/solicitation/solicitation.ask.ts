import type { ModelRoute, Spent, ToolCall } from '#lib/call-rules';
import type { ArgumentError } from '#lib/decisions/machines';
import type { ProposerContext } from '#lib/decisions/session';
import type { CallRung, SolicitationFacts, SolicitationInput } from './solicitation.events.js';

/** The parts of a refused answer for a reask. */
export interface RefusedAnswer {
  /** The rung of the answer: the reask uses it again. */
  readonly rung: Exclude<CallRung, 'reask'>;
  readonly content: string;
  /** Absent for decision JSON. */
  readonly call?: ToolCall;
  readonly errors: readonly ArgumentError[];
}

/** The state of a running solicitation. */
export interface SolicitationAsk {
  /** The version of the rules. */
  readonly version: number;
  readonly input: SolicitationInput & SolicitationFacts;
  /** The context of the round at its begin, with earlier decisions of people in this state, newest first. */
  readonly context: ProposerContext;
  /** The model in use, then its backups; empty without a model. */
  routes: readonly ModelRoute[];
  /** Over the outcomes of all calls to models and strategies; calls for the context do not count. */
  spent: Spent;
  /** The steps of all calls. */
  readonly calls: string[];
  /** The context from a registered function or a webhook. */
  contextText?: string;
  refused?: RefusedAnswer;
}
