import type { Budget, ModelParameters } from '#lib/call-rules';
import type { ProposingWorkflow } from '#lib/decisions/machines';

/** The execution mode of a proposer: exactly one of these forms. */
export type ProposerExecution =
  /** a built-in strategy, or one registered under this name */
  | { readonly strategyFnName: string }
  /** a webhook that answers with a choice */
  | { readonly strategyWebhookUrl: string; readonly webhookTokenName: string }
  /** a workflow that ends with one of the exits in its input */
  | { readonly workflow: Required<ProposingWorkflow> }
  /** a model with the context rendered by a Mustache template */
  | ({ readonly contextTemplate: string } & ModelQuestion)
  /** a model with the context returned by a registered function */
  | ({ readonly contextFnName: string } & ModelQuestion)
  /** a model with the context answered by a webhook */
  | ({ readonly contextWebhookUrl: string; readonly webhookTokenName: string } & ModelQuestion);

/** How a model is asked. */
export interface ModelQuestion {
  readonly modelId: string;
  /** Every tool also asks for `reasoning`. */
  readonly askReasoning?: true;
  readonly modelParameters?: ModelParameters;
  /** Models that are asked in this order if the provider of the one before fails. */
  readonly backupModels?: readonly string[];
  readonly systemPrompt?: string;
  /** A model call that may exceed it is not made. */
  readonly budget?: Budget;
}

/** The execution mode of an arbiter: never a model, so that arbitration is deterministic. */
export type ArbiterMode =
  /** built in, or registered under this name */
  | { readonly strategyFnName: string }
  /** a webhook that answers with a verdict */
  | { readonly strategyWebhookUrl: string; readonly webhookTokenName: string };
