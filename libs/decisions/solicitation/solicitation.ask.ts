import type { ModelRoute, Spent, ToolCall } from '#lib/call-rules';
import type { ArgumentError } from '#lib/decisions/machines';
import type { ProposerContext } from '#lib/decisions/session';
import type { CallRung, SolicitationFacts, SolicitationInput } from './solicitation.events.js';

/** The data that a reask shows the model. */
export interface RefusedAnswer {
  /** The rung of the answer: the reask asks in its way. */
  readonly rung: Exclude<CallRung, 'reask'>;
  readonly content: string;
  /** Absent if the answer was decision JSON. */
  readonly call?: ToolCall;
  readonly errors: readonly ArgumentError[];
}

/** The state of a solicitation that runs. */
export interface SolicitationAsk {
  /** Of the rules. */
  readonly version: number;
  readonly input: SolicitationInput & SolicitationFacts;
  /** The context of the session as it was when the round began, with what people decided in this state before, newest first. */
  readonly context: ProposerContext;
  /** The model in use, then its backups; none if no model is asked. */
  routes: readonly ModelRoute[];
  /** Over the outcomes of all calls to models and strategies; calls for the context do not count. */
  spent: Spent;
  /** The steps of the calls that were made. */
  readonly calls: string[];
  /** The context that a registered function or a webhook gave. */
  contextText?: string;
  refused?: RefusedAnswer;
}
