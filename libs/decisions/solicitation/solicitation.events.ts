// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { Event, JsonObject } from '#lib/kernel';
import type { ArgumentError } from '#lib/decisions/machines';
import type { Budget, ModelParameters } from '#lib/call-rules';
import type { ModelFallback, ModelRoute } from '#lib/call-rules';
import type { Choice, ContextExemplar, VariantOverrides } from '#lib/decisions/session';

/** How a proposer chooses. */
export type ProposerMode =
  | { readonly kind: 'strategy'; readonly strategyFnName: string }
  | { readonly kind: 'webhook'; readonly strategyWebhookUrl: string; readonly webhookTokenName: string }
  /** A child run of this workflow. Texts of the input are templates over the context; `exits` are added to it. */
  | { readonly kind: 'workflow'; readonly workflow: string; readonly input: JsonObject }
  | {
      readonly kind: 'model';
      /** The model's context besides the question. */
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
  /** Calls of one webhook at most, the first included. 1: no retries. */
  readonly maxAttempts: number;
  /** Milliseconds until a call of a function is given up. */
  readonly callTimeoutMs: number;
  /** Milliseconds until a call of a webhook is given up. */
  readonly webhookTimeoutMs: number;
};

/** Input of a run: the participants and the round. The context is a part of the session's stream, see `contextOf`. */
export type SolicitationInput = {
  /** The id of the session that asks, or of the evaluation or experiment. */
  readonly sessionId: string;
  readonly roundId: string;
  readonly specialistId: string;
  readonly specialistVersion: number;
  /** The machine of the session. */
  readonly machineName: string;
  /** The machine that the specialist belongs to, if it is none of the session's own. */
  readonly specialistMachine?: string;
  /** Asked by an experiment: what its variant changes. The result lists the calls. */
  readonly experiment?: VariantOverrides;
};

/** The facts that a run records at its start. */
export type SolicitationFacts = {
  /** How the specialist is asked. */
  readonly proposer: ProposerMode;
  readonly policies: SolicitationPolicies;
  /** Earlier decisions of people in this state, newest first. */
  readonly exemplars: readonly ContextExemplar[];
};

/**
 * `tools`: a tool call is asked for. `reask`: once more, with its errors shown. `structured`: decision JSON of a schema is asked for.
 * `text`: decision JSON is asked for.
 */
export type CallRung = 'tools' | 'reask' | 'structured' | 'text';

/** One step down the ladder, and its reason. */
export type LadderStep = {
  readonly from: 'tools' | 'reask' | 'structured' | 'decision' | 'text';
  /** `decision`: the text of the same reply is read as decision JSON. */
  readonly to: 'decision' | 'text' | 'reask';
  readonly reason: 'no-tool-call' | 'not-json' | 'not-a-decision' | 'invalid-arguments';
  /** For `invalid-arguments`: the first 20, and how many there are. */
  readonly argumentErrors?: readonly ArgumentError[];
  readonly argumentErrorCount?: number;
};

/** A step down the ladder, or to a backup on the same rung. */
export type FallbackTaken = Event<'FallbackTaken', LadderStep> | ModelFallback;

/** Whether the step is one of the fallback ladder, and not one to another model for the same call. */
export function isLadderStep(data: FallbackTaken['data']): data is LadderStep {
  return !('callId' in data);
}

/** The problems of arguments that were accepted. */
export type ArgumentFindings = {
  /** A tool call's were not a JSON object; `argumentsText` keeps them as they came. */
  readonly argumentsMalformed?: true;
  readonly argumentsText?: string;
  /** The first 20, and how many there are. */
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

/** The result of a run that gave none: its failure is the run's. `costUSD` is that of all its calls; absent if no price is known. */
export type SolicitationLoss = {
  readonly upstreamStatus?: number;
  readonly costUSD?: number;
  /** As of a choice. */
  readonly calls?: readonly string[];
};
