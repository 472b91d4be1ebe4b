import type { Budget, ModelParameters } from '#lib/call-rules';
import type { ProposingWorkflow } from '#lib/decisions/machines';

/** How a proposer chooses: exactly one of these members. */
export type ProposerExecution =
  /** a strategy, built in or registered under this name */
  | { readonly strategyFnName: string }
  /** a webhook that answers with a choice */
  | { readonly strategyWebhookUrl: string; readonly webhookTokenName: string }
  /** a workflow that ends with one of the exits in its input */
  | { readonly workflow: Required<ProposingWorkflow> }
  /** a model that receives the context as a Mustache template renders it */
  | ({ readonly contextTemplate: string } & ModelQuestion)
  /** a model that receives what a registered function returns */
  | ({ readonly contextFnName: string } & ModelQuestion)
  /** a model that receives what a webhook answers */
  | ({ readonly contextWebhookUrl: string; readonly webhookTokenName: string } & ModelQuestion);

/** How a model is asked. */
export interface ModelQuestion {
  readonly modelId: string;
  /** Every tool also asks for `reasoning`. */
  readonly askReasoning?: true;
  readonly modelParameters?: ModelParameters;
  /** Asked in this order if the provider of the model before fails. */
  readonly backupModels?: readonly string[];
  readonly systemPrompt?: string;
  /** A call of a model that may exceed it is not made. */
  readonly budget?: Budget;
}

/** How an arbiter decides: never by a model, so that arbitration stays deterministic. */
export type ArbiterMode =
  /** built in, or registered under this name */
  | { readonly strategyFnName: string }
  /** a webhook that answers with a verdict */
  | { readonly strategyWebhookUrl: string; readonly webhookTokenName: string };
