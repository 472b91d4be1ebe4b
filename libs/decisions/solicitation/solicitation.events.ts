// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { Event, JsonObject } from '#lib/kernel';
import type { ArgumentError } from '#lib/decisions/machines';
import type { Budget, ModelFallback, ModelParameters, ModelRoute } from '#lib/call-rules';
import type { Choice, ContextExemplar, VariantOverrides } from '#lib/decisions/session';

/** The recorded mode of a proposer. */
export type ProposerMode =
  | { readonly kind: 'strategy'; readonly strategyFnName: string }
  | { readonly kind: 'webhook'; readonly strategyWebhookUrl: string; readonly webhookTokenName: string }
  /** A child run of this workflow. Texts of the input are templates over the context; `exits` are added to it. */
  | { readonly kind: 'workflow'; readonly workflow: string; readonly input: JsonObject }
  | {
      readonly kind: 'model';
      /** The source of the model's context besides the question. */
      readonly context:
        | { readonly contextTemplate: string }
        | { readonly contextFnName: string }
        | { readonly contextWebhookUrl: string; readonly webhookTokenName: string };
      /** The model, then its backups. */
      readonly routes: readonly ModelRoute[];
      /** Default: temperature 0. */
      readonly modelParameters?: ModelParameters;
      /** Mustache; in place of the default text of the system message. */
      readonly systemPrompt?: string;
      /** The budget of the specialist. */
      readonly budget?: Budget;
      /** Every tool also asks for `reasoning`. */
      readonly askReasoning?: true;
    };

/** Limits of the process that the start of a solicitation records. */
export type SolicitationPolicies = {
  /** Calls of one webhook at most, with the first. 1: no retries. */
  readonly maxAttempts: number;
  /** The time limit for the call of a function, in ms. */
  readonly callTimeoutMs: number;
  /** The time limit for the call of a webhook, in ms. */
  readonly webhookTimeoutMs: number;
};

/** The input of a run: the participants and the round. The context is derived from the session's stream, see `contextOf`. */
export type SolicitationInput = {
  /** The id of the session, or of the evaluation or experiment. */
  readonly sessionId: string;
  readonly roundId: string;
  readonly specialistId: string;
  readonly specialistVersion: number;
  /** The machine of the session. */
  readonly machineName: string;
  /** The machine of the specialist, if it is not the session's. */
  readonly specialistMachine?: string;
  /** Present in an experiment: the changes of its variant. The result then lists the calls. */
  readonly experiment?: VariantOverrides;
};

/** The facts that a run records at its start. */
export type SolicitationFacts = {
  /** The recorded mode of the specialist. */
  readonly proposer: ProposerMode;
  readonly policies: SolicitationPolicies;
  /** Earlier decisions of people in this state, newest first. */
  readonly exemplars: readonly ContextExemplar[];
};

/**
 * `tools`: asks for a tool call. `reask`: asks once more, with the errors. `structured`: asks for decision JSON of a schema.
 * `text`: asks for decision JSON.
 */
export type CallRung = 'tools' | 'reask' | 'structured' | 'text';

/** One step down the ladder, and its reason. */
export type LadderStep = {
  readonly from: 'tools' | 'reask' | 'structured' | 'decision' | 'text';
  /** `decision`: the text of the same reply is read as decision JSON. */
  readonly to: 'decision' | 'text' | 'reask';
  readonly reason: 'no-tool-call' | 'not-json' | 'not-a-decision' | 'invalid-arguments';
  /** For `invalid-arguments`: the first 20, and their number. */
  readonly argumentErrors?: readonly ArgumentError[];
  readonly argumentErrorCount?: number;
};

/** A step down the ladder, or to a backup on the same rung. */
export type FallbackTaken = Event<'FallbackTaken', LadderStep> | ModelFallback;

/** Whether the step is one of the fallback ladder, and not a change to a backup model. */
export function isLadderStep(data: FallbackTaken['data']): data is LadderStep {
  return !('callId' in data);
}

/** The problems of accepted arguments. */
export type ArgumentFindings = {
  /** The arguments of a tool call were not a JSON object; `argumentsText` holds them as received. */
  readonly argumentsMalformed?: true;
  readonly argumentsText?: string;
  /** The first 20, and their number. */
  readonly argumentErrors?: readonly ArgumentError[];
  readonly argumentErrorCount?: number;
};

/** The result of a run that gave a choice. */
export type SolicitationChoice = Choice &
  ArgumentFindings & {
    readonly rung: 'strategy' | 'workflow' | 'decision' | CallRung;
    /** In an experiment: the steps of all calls of the run. */
    readonly calls?: readonly string[];
  };

/** The result of a run without a choice: its failure is that of the run. `costUSD` is the cost of all its calls; absent if no price is known. */
export type SolicitationLoss = {
  readonly upstreamStatus?: number;
  readonly costUSD?: number;
  /** As in `SolicitationChoice`. */
  readonly calls?: readonly string[];
};
