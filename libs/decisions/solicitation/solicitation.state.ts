import type { Completion, ToolCall } from '#lib/call-rules';
import type { ArgumentError } from '#lib/decisions/machines';
import type { ModelCallState, ModelRoute, Spent } from '#lib/call-rules';
import type { ProposerContext, SolicitationFailure } from '#lib/decisions/session';
import type { RunEnd } from '#lib/workflow';
import type { CallRung, ProposerMode, SolicitationFacts, SolicitationInput } from './solicitation.events.js';

/** The source of the context or the choice besides models; also the id of its calls. */
export type CallName = 'context' | 'strategy';

type ProposingWorkflow = Extract<ProposerMode, { kind: 'workflow' }>;

/** The phase of a solicitation: the next step. */
export type Stage =
  /** attempt n of a call, from 1 */
  | { readonly at: 'call'; readonly call: CallName; readonly attempt: number }
  /** the time until that attempt */
  | { readonly at: 'delay'; readonly call: CallName; readonly attempt: number; readonly afterMs: number }
  /** a workflow is asked; `since` (ISO 8601, UTC) once it is */
  | { readonly at: 'child'; readonly asked: ProposingWorkflow; readonly since?: string }
  | { readonly at: 'worked'; readonly asked: ProposingWorkflow; readonly end: RunEnd }
  /** a model, on a rung that is the id of its calls */
  | { readonly at: 'asking'; readonly rung: CallRung; readonly call: ModelCallState }
  | { readonly at: 'replied'; readonly rung: CallRung; readonly completion: Completion }
  /** the reply's text is to be read as decision JSON */
  | { readonly at: 'decision'; readonly completion: Completion; readonly after: 'tools' | 'reask' }
  /** by a function or a webhook; not checked yet */
  | { readonly at: 'chosen'; readonly result: unknown }
  | { readonly at: 'failed'; readonly failure: SolicitationFailure };

/** The data that a reask shows the model. */
export interface RefusedAnswer {
  /** The rung of the answer: the reask asks in its way. */
  readonly rung: Exclude<CallRung, 'reask'>;
  readonly content: string;
  /** Absent if the answer was decision JSON. */
  readonly call?: ToolCall;
  readonly errors: readonly ArgumentError[];
}

/** A solicitation, folded from its events. */
export interface SolicitationState {
  /** Of the rules. */
  readonly version: number;
  readonly input: SolicitationInput & SolicitationFacts;
  /** The context of the session as it was when the round began, with what people decided in this state before, newest first. */
  readonly context: ProposerContext;
  readonly stage: Stage;
  /** The model in use, then its backups; none if no model is asked. */
  readonly routes: readonly ModelRoute[];
  /** Interruptions of the call of a function or webhook that is made now. */
  readonly interruptions: number;
  /** Over the outcomes of all calls to models and strategies; calls for the context do not count. */
  readonly spent: Spent;
  /** The context that a registered function or a webhook gave. */
  readonly contextText?: string;
  readonly refused?: RefusedAnswer;
}
