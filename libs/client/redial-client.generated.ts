// Made of the declared operations by `npm run operations:record`.

import type { ClientCallOptions, Route } from './call-over-http.js';

/** The name of a state, or an object that has it as its target. */
export type MachineDefinitionTransition =
  | string
  | {
      /** The name of the state it leads to. */
      target: string;
      /** Offers the transition to models as a tool; may be empty. */
      description?: string;
      /** A JSON Schema of the tool's arguments. */
      parameters?: {};
      onInvalidArguments?: 'accept' | 'reject' | 'reask';
      /** People alone execute it: always, or if the expression over `args, metaJson, session` is not false. */
      needsPerson?:
        | boolean
        | {
            /** An expression that fails counts as true. */
            if: string;
          };
    };
/** A text is the description. */
export type GateDefinitionChoice =
  | {
      description?: string;
      /** A JSON Schema of the arguments. */
      parameters?: {};
      onInvalidArguments?: 'accept' | 'reject' | 'reask';
    }
  | string;
export type AgentDefinitionPredicate =
  | {
      fn: string;
    }
  | {
      /** CEL. */
      expr: string;
    };
/** A registered function, or the id of a registered tool. */
export type AgentDefinitionObserver =
  | {
      fn: string;
    }
  | string;
export type AgentDefinitionHook = AgentDefinitionObserver | AgentDefinitionDirective;

export interface DefineMachineInput {
  machine: MachineDefinition;
}
/** States, and the transitions that lead out of each. */
export interface MachineDefinition {
  /** For editors; not part of the machine. */
  $schema?: string;
  /** Names the machine; a changed definition is its next version. */
  machineName: string;
  /** The state in which a session starts. */
  initialState: string;
  /** The state in which a session is done. */
  goalState?: string;
  /**
   * @deprecated
   * The old name of goalState.
   */
  defaultState?: string;
  states: {
    [k: string]: MachineDefinitionState;
  };
  /** Registered with the machine: a changed body is the next version of its specialist. */
  specialists?: MachineDefinitionSpecialist[];
  consensusThreshold?: number;
  /** With fewer proposals than this a person decides. */
  quorum?: number;
  /** Whether proposers are asked one after another (default) or at the same time. */
  ask?: 'in turn' | 'together';
  trust?: MachineDefinitionTrust;
  collapse?: MachineDefinitionCollapse;
  people?: MachineDefinitionPeople;
  /**
   * Statements about all sessions: a definition for which one does not hold is refused.
   *
   * @maxItems 100
   */
  properties?: {
    /** This state is never reached. */
    never?: string;
    /**
     * The second state is never reached without the first.
     *
     * @minItems 2
     * @maxItems 2
     */
    before?: string[];
    /**
     * State and transition: the transition is never executed without a person.
     *
     * @minItems 2
     * @maxItems 2
     */
    people?: string[];
    /** This state can be reached from every state that can be reached. */
    reaches?: string;
  }[];
}
/** A state without transitions ends a session. */
export interface MachineDefinitionState {
  /** The question to decide in this state. */
  prompt?: string;
  /** The ways out, by name. Order has meaning. */
  transitions?: {
    [k: string]: MachineDefinitionTransition;
  };
  consensusThreshold?: number;
  /** With fewer proposals than this a person decides. */
  quorum?: number;
  /** Whether proposers are asked one after another (default) or at the same time. */
  ask?: 'in turn' | 'together';
  trust?: MachineDefinitionTrust;
  collapse?: MachineDefinitionCollapse;
  people?: MachineDefinitionPeople;
  /**
   * Executed when the round reaches this age.
   *
   * @maxItems 100
   */
  after?: {
    /** ISO 8601, from 1 s to 366 d. */
    in: string;
    transition: string;
  }[];
  /** Take part in this state instead of the machine's specialists of the same role. */
  specialists?: MachineDefinitionSpecialist[];
}
/** Below it the proposals of a proposer have no weight. */
export interface MachineDefinitionTrust {
  /** Comparisons with people. */
  minComparisons?: number;
  /** Alignment score. */
  minAlignment?: number;
}
/** The champion decides alone: the enabled proposer with the highest alignment, where that is at least 0.8. */
export interface MachineDefinitionCollapse {
  /** One round in this many goes to a person in any case. Absent: none does. */
  spotCheckEvery?: number;
}
/** The people who decide, and how many of them. */
export interface MachineDefinitionPeople {
  /**
   * With groups or people, exactly these decide.
   *
   * @maxItems 100
   */
  groups?: string[];
  /**
   * Ids of persons.
   *
   * @maxItems 100
   */
  people?: string[];
  /**
   * `creator`, `proposers`, or ids of persons: they never decide.
   *
   * @maxItems 100
   */
  exclude?: string[];
  /** The number of people who have to make the same choice. */
  approvals?: number;
  priority?: number;
  /** ISO 8601, from 1 s to 366 d. */
  dueIn?: string;
  /**
   * The times before the wait is due.
   *
   * @maxItems 100
   */
  remindBefore?: string[];
  /** @maxItems 100 */
  escalations?: {
    /** ISO 8601, from 1 s to 366 d. */
    in: string;
    /** @maxItems 100 */
    groups?: string[];
    /** @maxItems 100 */
    people?: string[];
    /** `false`: they replace the earlier candidates. */
    keep?: boolean;
  }[];
  /** After this time the wait takes no answer. ISO 8601. */
  expireIn?: string;
  /** The decision at the expiry of the wait. Without it, there is none. */
  onExpiry?: {
    transition: string;
  };
}
export interface MachineDefinitionSpecialist {
  role: 'proposer' | 'arbiter';
  specialistId: string;
  isHuman?: boolean;
  /** For a human: the person who acts as them. Default: the specialist's own id. */
  personId?: string;
  strategyFnName?: string;
  strategyWebhookUrl?: string;
  contextFnName?: string;
  contextTemplate?: string;
  contextWebhookUrl?: string;
  modelId?: string;
  /** Every tool that the model is offered also asks for its reasoning. */
  askReasoning?: boolean;
  /** The workflow that proposes. */
  workflow?: {
    name: string;
    /** Its input without `exits`, which are the transitions of the state. Texts in it are Mustache templates over the context. */
    input?: {};
  };
  /** Sent to the model. Without it, temperature 0. */
  modelParameters?: {
    temperature?: number | null;
    topP?: number;
    seed?: number;
    maxTokens?: number;
    maxTokensField?: 'max_tokens' | 'max_completion_tokens';
    reasoningEffort?: string;
    toolChoice?: string | {};
    parallelToolCalls?: boolean;
    stop?: string | string[];
    stream?: boolean;
    responseFormat?: 'json_schema';
    extraBody?: {};
  };
  /**
   * Asked in this order if the provider of the model before fails.
   *
   * @maxItems 8
   */
  backupModels?: string[];
  /** A model call that may exceed it is not made. */
  budget?: {
    maxTokens?: number;
    maxUSD?: number;
    per: 'call' | 'session' | 'day';
  };
  /** Mustache: replaces the text of the system message. */
  systemPrompt?: string;
  webhookTokenName?: string;
  threshold?: number;
  trust?: MachineDefinitionTrust;
  /** Registers a new version disabled. If another entry of the same id is not disabled: left out in this place alone. */
  disabled?: boolean;
  /** A new version starts with the alignment of the one before. */
  keepAlignment?: boolean;
}
export interface GetMachineInput {
  machineName: string;
  /** Default: the current version */
  version?: number;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface GetMachineDiagramInput {
  machineName: string;
  /** Default: the current version */
  version?: number;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListMachinesInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ValidateMachineInput {
  machine: MachineDefinition;
}
export interface ProveMachineInput {
  /** A defined machine; either this or `machine` */
  machineName?: string;
  /** Default: the current version */
  machineVersion?: number;
  machine?: MachineDefinition;
  /**
   * Further properties, besides the machine's own
   *
   * @maxItems 100
   */
  properties?: {
    /** This state is never reached. */
    never?: string;
    /**
     * The second state is never reached without the first.
     *
     * @minItems 2
     * @maxItems 2
     */
    before?: string[];
    /**
     * State and transition: the transition is never executed without a person.
     *
     * @minItems 2
     * @maxItems 2
     */
    people?: string[];
    /** This state can be reached from every state that can be reached. */
    reaches?: string;
  }[];
}
export interface DisableSpecialistInput {
  specialistId: string;
  /** Needed if several machines have a specialist of this id */
  machineName?: string;
}
export interface EnableSpecialistInput {
  specialistId: string;
  /** Needed if several machines have a specialist of this id */
  machineName?: string;
}
export interface RegisterSpecialistInput {
  /** A proposer chooses a transition; an arbiter decides among the proposals */
  role: 'proposer' | 'arbiter';
  /** Unique within its machine */
  specialistId: string;
  /** The machine, or the gate, it takes part in */
  machineName: string;
  /** A person is to act as this proposer */
  isHuman?: boolean;
  /** The id of that person. Default: the specialist's id; if no person has it, one is registered as a reviewer, and only this answer has their token */
  personId?: string;
  /** A strategy that is built in, or registered in the process */
  strategyFnName?: string;
  /** A webhook that gets the context and answers with a choice, or for an arbiter with a verdict */
  strategyWebhookUrl?: string;
  /** For a model: a context function that is registered in the process */
  contextFnName?: string;
  /** For a model: its context, a Mustache template */
  contextTemplate?: string;
  /** For a model: a webhook that answers with its context */
  contextWebhookUrl?: string;
  /** Every tool also asks the model for its reasoning */
  askReasoning?: boolean;
  /** Sent to the model; without it, temperature 0 */
  modelParameters?: {
    temperature?: number | null;
    topP?: number;
    seed?: number;
    maxTokens?: number;
    maxTokensField?: 'max_tokens' | 'max_completion_tokens';
    reasoningEffort?: string;
    toolChoice?: string | {};
    parallelToolCalls?: boolean;
    stop?: string | string[];
    stream?: boolean;
    responseFormat?: 'json_schema';
    extraBody?: {};
  };
  /**
   * Models that are asked in this order if the provider of the earlier one fails
   *
   * @maxItems 8
   */
  backupModels?: string[];
  /** The budget of its model calls: a call that may exceed it is not made */
  budget?: {
    maxTokens?: number;
    maxUSD?: number;
    per: 'call' | 'session' | 'day';
  };
  /** Mustache over the context and machineName: replaces the text of the system message */
  systemPrompt?: string;
  /** A model */
  modelId?: string;
  workflow?: ProposingWorkflow;
  /** The environment variable that holds the webhook's token: it is, or ends in, WEBHOOK_TOKEN or HOOK_TOKEN */
  webhookTokenName?: string;
  /** A new version is not asked until it is enabled */
  disabled?: boolean;
  /** A new version starts with the alignment of the current one */
  keepAlignment?: boolean;
  /** For an arbiter: the margin that it needs, from 0 to 1 */
  threshold?: number;
  trust?: TrustOfArbiter;
}
export interface ProposingWorkflow {
  /** The registered execution mode */
  name: string;
  /** Its input without `exits`, which are the transitions of the state. Texts in it are Mustache templates over the context */
  input?: {};
}
export interface TrustOfArbiter {
  /** The least number of comparisons with people */
  minComparisons?: number;
  /** The least alignment score */
  minAlignment?: number;
}
export interface GetSpecialistInput {
  specialistId: string;
  /** Needed if several machines have a specialist of this id */
  machineName?: string;
  /** Default: the current version */
  version?: number;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListSpecialistVersionsInput {
  specialistId: string;
  /** Needed if several machines have a specialist of this id */
  machineName?: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ListSpecialistsInput {
  /** Only of this machine */
  machineName?: string;
  /** Only of this role */
  role?: 'proposer' | 'arbiter';
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface CreateGateInput {
  gate: GateDefinition;
}
/** One question, asked again and again. */
export interface GateDefinition {
  gateId: string;
  /** The question. */
  prompt?: string;
  choices: {
    [k: string]: GateDefinitionChoice;
  };
  specialists?: MachineDefinitionSpecialist[];
  consensusThreshold?: number;
  quorum?: number;
  trust?: MachineDefinitionTrust;
  collapse?: MachineDefinitionCollapse;
}
export interface DeleteGateInput {
  gateId: string;
}
export interface GetGateInput {
  gateId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface GetGateStatusInput {
  gateId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface GetInvocationInput {
  gateId: string;
  sessionId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface InvokeGateInput {
  gateId: string;
  /** The subject of the decision: proposers see it */
  metaJson?: {};
  /** The question of this invocation: follows the gate's prompt after a blank line */
  promptSuffix?: string;
  /**
   * Earlier decisions, oldest first, such as the history of a session: proposers and arbiters see them
   *
   * @maxItems 500
   */
  history?: {
    transitionName: string;
    fromState?: string;
    toState?: string;
    reasoning?: string;
    metaJson?: {};
    isHuman?: boolean;
    decidedBy?: string;
    proposalId?: string;
    executionTimestamp?: string;
  }[];
}
export interface ListGatesInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface EvaluateSpecialistInput {
  specialistId: string;
  /** The machine of the specialist: needed if several have one of this id */
  specialistMachine?: string;
  /** `exemplars`: compares with decisions of people; `decisions`: with all decisions; `record`: compares its past proposals, without a new call */
  against: 'exemplars' | 'decisions' | 'record';
  /** The machine of the rounds; default: the specialist's */
  machineName?: string;
  /** Default: the current version */
  specialistVersion?: number;
  /** The most past rounds, newest first, of all states together */
  maxRounds?: number;
  /** Also rounds of states in which a declared specialist takes no part */
  allStates?: boolean;
}
export interface GetEvaluationInput {
  evaluationId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListEvaluationsInput {
  specialistId: string;
  /** Needed if several machines have a specialist of this id */
  machineName?: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ReplayEvaluationInput {
  evaluationId: string;
}
export interface CancelExperimentInput {
  experimentId: string;
  reason?: string;
}
export interface GetExperimentInput {
  experimentId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListExperimentItemsInput {
  experimentId: string;
  /** The variant of `flip`; default: the first that is not the baseline */
  variant?: string;
  /** Only points with this effect of the variant; `negative`: the baseline agreed with the person who decided, and the variant does not */
  flip?: 'none' | 'negative' | 'positive' | 'neutral';
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ListExperimentsInput {
  status?: 'running' | 'completed' | 'stopped' | 'cancelled' | 'failed';
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ResumeExperimentInput {
  experimentId: string;
  /** The new limit of the total, which includes earlier spending */
  maxCostUSD?: number;
  /** The new limit of the total, which includes earlier calls */
  maxCalls?: number;
}
export interface StartExperimentInput {
  name?: string;
  /** The decided rounds: of a machine (`max`: 100), or all of these sessions */
  points:
    | {
        machineName: string;
        /** @maxItems 1000 */
        states?: string[];
        from?: string;
        to?: string;
        decidedBy?: 'people' | 'any';
        max?: number;
        order?: 'newest' | 'oldest' | 'random';
        seed?: string;
      }
    | {
        /**
         * @minItems 1
         * @maxItems 1000
         */
        sessionIds: string[];
      };
  /**
   * Specialists, each with changes to its registration; `prompts`: the prompts of states, by the states' names
   *
   * @minItems 1
   * @maxItems 8
   */
  variants: {
    name: string;
    specialistId: string;
    version?: number;
    modelId?: string;
    modelParameters?: {
      temperature?: number | null;
      topP?: number;
      seed?: number;
      maxTokens?: number;
      maxTokensField?: 'max_tokens' | 'max_completion_tokens';
      reasoningEffort?: string;
      toolChoice?: string | {};
      parallelToolCalls?: boolean;
      stop?: string | string[];
      stream?: boolean;
      responseFormat?: 'json_schema';
      extraBody?: {};
    };
    systemPrompt?: string;
    contextTemplate?: string;
    prompts?: {
      [k: string]: string;
    };
    /** @maxItems 8 */
    backupModels?: string[];
  }[];
  /** How often each variant is asked about each point */
  samples?: number;
  /** `recorded` (the decisions), or the name of a variant */
  baseline?: string;
  /** The most US dollars that all calls together may cost */
  maxCostUSD?: number;
  /** The most calls */
  maxCalls?: number;
  /** Asks at the same time */
  concurrency?: number;
  /** The share of flips up to which a variant decides the same */
  margin?: number;
  /** Only estimates its asks and their usage */
  dryRun?: boolean;
}
export interface GetConversationHistoryInput {
  conversationId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** `content`: leave out the content by people, models and tools, and values derived from it */
  redact?: 'content';
  /** `off`: leave out the keys of subjects, which operators get: the content about them cannot be read then */
  keys?: 'off';
}
export interface GetRunHistoryInput {
  runId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** `content`: leave out the content by people, models and tools, and values derived from it */
  redact?: 'content';
  /** `off`: leave out the keys of subjects, which operators get: the content about them cannot be read then */
  keys?: 'off';
}
export interface GetSessionHistoryInput {
  sessionId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** `content`: leave out the content by people, models and tools, and values derived from it */
  redact?: 'content';
  /** `off`: leave out the keys of subjects, which operators get: the content about them cannot be read then */
  keys?: 'off';
}
export interface ForkHistoryInput {
  /** The text of a history file of a session. HTTP takes at most 64 MiB */
  history: string;
  /** The last event that the fork has in common with the session: the last one of a command */
  atRevision: number;
  overrides?: ForkOverrides;
  /** `hold`: functions, webhooks and tools that change something wait for an approval */
  effects?: 'hold' | 'allow';
  /** Why */
  reason?: string;
}
export interface ForkOverrides {
  machine?: MachineDefinition;
  /** In place of the case */
  metaJson?: {};
  /** By the id of a proposer that a model decides for: `modelId`, `backupModels`, `modelParameters`, `systemPrompt`, `contextTemplate`, `budget` and `askReasoning` in place of its own */
  specialists?: {
    [k: string]: {
      modelId?: string;
      /** @maxItems 8 */
      backupModels?: string[];
      modelParameters?: {
        temperature?: number | null;
        topP?: number;
        seed?: number;
        maxTokens?: number;
        maxTokensField?: 'max_tokens' | 'max_completion_tokens';
        reasoningEffort?: string;
        toolChoice?: string | {};
        parallelToolCalls?: boolean;
        stop?: string | string[];
        stream?: boolean;
        responseFormat?: 'json_schema';
        extraBody?: {};
      };
      systemPrompt?: string;
      contextTemplate?: string;
      budget?: {
        maxTokens?: number;
        maxUSD?: number;
        per: 'call' | 'session' | 'day';
      };
      askReasoning?: true;
    };
  };
}
export interface GetConversationProofInput {
  conversationId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface GetRunProofInput {
  runId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface GetSessionProofInput {
  sessionId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface GetLatestSealInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListSealsInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface SealLogInput {}
export interface EraseSubjectInput {
  subject: string;
  /** Why. It stays in the log: write nothing about the subject */
  reason?: string;
}
export interface GetSubjectInput {
  subject: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface DropDeliveryInput {
  name: string;
  id: string;
}
export interface ListParkedDeliveriesInput {
  name: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ListReactionsInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface RetryDeliveryInput {
  name: string;
  id: string;
}
export interface DeleteHookInput {
  hookId: string;
}
export interface GetHookInput {
  hookId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListHookDeliveriesInput {
  hookId: string;
  /** Default: all */
  status?: 'pending' | 'delivered' | 'parked';
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ListHooksInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface RegisterHookInput {
  hookId: string;
  /** http or https, without credentials */
  url: string;
  /**
   * Some of session.created, session.needs_human, session.done, round.decided, task.opened, task.reminded, task.escalated, task.expired, task.answered, run.waiting, run.completed, run.failed, turn.completed, experiment.completed, reaction.parked, log.sealed
   *
   * @minItems 1
   */
  types: (
    | 'session.created'
    | 'session.needs_human'
    | 'session.done'
    | 'round.decided'
    | 'task.opened'
    | 'task.reminded'
    | 'task.escalated'
    | 'task.expired'
    | 'task.answered'
    | 'run.waiting'
    | 'run.completed'
    | 'run.failed'
    | 'turn.completed'
    | 'experiment.completed'
    | 'reaction.parked'
    | 'log.sealed'
  )[];
  /** Only events of this machine */
  machineName?: string;
  /** The variable that holds the secret, `whsec_…`; it is, or ends in, `WEBHOOK_TOKEN` or `HOOK_TOKEN`. Default: the secret is random, is kept under the master key, and is in the answer to the first call */
  secretName?: string;
  /** `true`: its messages wait; `false`: they are sent. Default: unchanged, and `false` for a new hook */
  disabled?: boolean;
}
export interface RetryHookDeliveryInput {
  hookId: string;
  deliveryId: string;
}
export interface TestHookInput {
  hookId: string;
}
export interface ListEventsInput {
  /** Only of these recorded types, separated by commas */
  types?: string;
  /** A position: only events after it */
  from?: string;
  /** `off`: without the content of events */
  content?: 'off';
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ExportContentInput {
  /** `training`: chats of the rounds that people decided; `preferences`: pairs of a person's decision and a model's proposal that it overrode */
  dataset: string;
  /** Only decisions at or after this time */
  from?: string;
  /** Only decisions before this time */
  to?: string;
  /** Only of this machine */
  machineName?: string;
}
export interface ExportDatasetInput {
  /** One of sessions, rounds, decisions, proposals, calls, costs, tasks, runs */
  dataset: string;
  /** Default: `jsonl` */
  format?: 'csv' | 'jsonl';
  /** Only rows at or after this time */
  from?: string;
  /** Only rows before this time */
  to?: string;
  /** Only of this machine */
  machineName?: string;
  /** `off`: without the facts of sessions */
  metaJson?: 'off';
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface DiffSessionsInput {
  sessionId: string;
  /** The other session */
  with: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface WhyConversationInput {
  conversationId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
  /** The revision of the event. Default: the last decision, else the last event; of a run its end */
  revision?: number;
}
export interface WhyRunInput {
  runId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
  /** The revision of the event. Default: the last decision, else the last event; of a run its end */
  revision?: number;
}
export interface WhySessionInput {
  sessionId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
  /** The revision of the event. Default: the last decision, else the last event; of a run its end */
  revision?: number;
}
export interface SimulateMachineInput {
  machineName: string;
  /** In every state, in place of those of the definition and its arbiters */
  consensusThreshold?: number;
  /** In every state */
  quorum?: number;
  /** In every state, in place of the trust of the definition and its arbiters */
  trust?: {
    /** Comparisons with people. */
    minComparisons?: number;
    /** Alignment score. */
    minAlignment?: number;
  };
  /** A built-in arbiter, in place of the arbiter of each state */
  arbiter?: 'firstProposal' | 'alignmentMargin' | 'aheadByK';
  /** `wilson` or `ratio`, with `;halfLife=<comparisons>`: scores the comparisons that were known then */
  scoringRule?: string;
  /** Rounds that were decided at or after this time */
  from?: string;
  /** Rounds that were decided before this time */
  to?: string;
  /** Rounds at most; an operator may ask for more than 500 */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface TryCallInput {
  callId: string;
  /** Default: the model of the call */
  modelId?: string;
  /** Replaces all parameters of the request */
  modelParameters?: {
    temperature?: number | null;
    topP?: number;
    seed?: number;
    maxTokens?: number;
    maxTokensField?: 'max_tokens' | 'max_completion_tokens';
    reasoningEffort?: string;
    toolChoice?: string | {};
    parallelToolCalls?: boolean;
    stop?: string | string[];
    stream?: boolean;
    extraBody?: {};
  };
  /**
   * Replaces all messages of the request
   *
   * @minItems 1
   * @maxItems 10000
   */
  messages?: {
    role: string;
  }[];
}
export interface GetDecisionDaysInput {
  /** Only of this machine */
  machineName?: string;
  /** A line for each day, machine and state, or for each day */
  by?: 'state' | 'day';
  /** From the UTC day of this time on */
  from?: string;
  /** On UTC days that began before this time */
  to?: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface GetAlignmentInput {
  /** its name; of a gate, the name of the gate */
  machineName: string;
  /** `wilson` or `ratio`, with `;halfLife=<comparisons>` so that older comparisons count less */
  rule?: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface GetCollapseMetricsInput {
  /** its name; of a gate, the name of the gate */
  machineName: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface GetDecisionLogInput {
  /** its name; of a gate, the name of the gate */
  machineName: string;
  /** Only in this session */
  sessionId?: string;
  /** The kind of decider: an arbiter, a person, an operator */
  how?: 'consensus' | 'override' | 'operator' | 'timer';
  /** Decided at or after this time */
  from?: string;
  /** Decided before this time */
  to?: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface GetInboxInput {
  /** Only of this machine */
  machineName?: string;
  /** Only this session */
  sessionId?: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface GetModelStatisticsInput {
  /** A line for each model, or for each model and UTC day */
  by?: 'model' | 'day';
  /** Only in sessions of this machine */
  machineName?: string;
  /** Only in this session, or evaluation */
  sessionId?: string;
  /** Only in this round of the session */
  roundId?: string;
  /** Requested at or after this time */
  from?: string;
  /** Requested before this time */
  to?: string;
  /** Prices every call by this version; default: the one in force at the call */
  priceVersion?: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListExemplarsInput {
  /** its name; of a gate, the name of the gate */
  machineName: string;
  /** Only those decided in this state */
  state?: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ListModelCapabilitiesInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ImportExemplarsInput {
  machineName: string;
  /** At most 500 decisions. All of them are imported, or none */
  exemplars: PastDecision[];
}
export interface PastDecision {
  /** The state in which it was decided */
  state: string;
  transitionName: string;
  /** The person */
  specialistId: string;
  reasoning?: string;
  /** The metadata of the decision */
  metaJson?: {};
  /** The subject of the decision */
  sessionMetaJson?: {};
  /** Default: now */
  decidedAt?: string;
  /** The choices of the machine's proposers: each is compared with the decision */
  proposals?: PastProposal[];
}
export interface PastProposal {
  specialistId: string;
  /** Default: the current one */
  specialistVersion?: number;
  transitionName: string;
}
export interface ListProjectionsInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface CreateSessionInput {
  /** A defined machine; either this or `machine` */
  machineName?: string;
  /** Default: the latest */
  machineVersion?: number;
  machine?: MachineDefinition;
  /** A JSON object: the case */
  metaJson?: {};
  /** Your own name for the session, unique for its machine: the same key and body again gives the same session. It stays in the log: use a pseudonym */
  key?: string;
  /** Texts by name, for the filter `tag` of lists */
  tags?: {
    [k: string]: string;
  };
  /** The person or customer it is about. Its content is encrypted under the key of this subject, until the subject is erased. The name stays in the log: use a pseudonym */
  subject?: string;
}
export interface ExecuteTransitionInput {
  sessionId: string;
  /** A transition that the state offers */
  transitionName: string;
  /** The target that the machine defines for it */
  toState: string;
  /** Default: the current round; a past one is refused */
  roundId?: string;
  /** An open proposal of the round for this transition: it becomes `won` */
  proposalId?: string;
  /** Why */
  reasoning?: string;
  /** Data of the transition */
  metaJson?: {};
}
export interface RunSessionInput {
  sessionId: string;
  /** The most steps */
  maxTicks?: number;
}
export interface TickSessionInput {
  sessionId: string;
}
export interface EvaluateConsensusInput {
  sessionId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface GetSessionInput {
  sessionId: string;
  /** `none` leaves the history empty: in a long session it is most of the answer */
  history?: 'none';
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface GetSessionAtInput {
  sessionId: string;
  revision: number;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListProposalsInput {
  sessionId: string;
  /** Only of this round */
  roundId?: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface ListSessionEventsInput {
  sessionId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
  /** Only this event, as `<stream>@<revision>` */
  event?: string;
  /** The most bytes of `data` as JSON: the largest members are left out until it fits */
  maxDataBytes?: number;
}
export interface ListSessionsInput {
  /** Only of this machine */
  machineName?: string;
  /** Only in this state */
  currentState?: string;
  /** Only of this status */
  status?: 'open' | 'needs_human' | 'done' | 'closed';
  /** Only forks of this session */
  forkedFrom?: string;
  /** `none` leaves the history empty: in a long session it is most of the answer */
  history?: 'none';
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** Only those whose id begins with this text */
  idPrefix?: string;
  /** Only with this key */
  key?: string;
  /** Only with this tag, `name:value`; of several, with all of them */
  tag?: string | string[];
  /** Only about this subject */
  subject?: string;
}
export interface ReplaySessionInput {
  sessionId: string;
}
export interface CloseSessionInput {
  sessionId: string;
  /** Why */
  reason?: string;
}
export interface SubmitArbitrationInput {
  sessionId: string;
  /** The arbiter to ask, instead of the state's; or the human specialist as whom a person decides. Default for a person: their human specialist in the machine, if there is one */
  specialistId?: string;
  /** Default: the current round; another one is stale */
  roundId?: string;
  /** Forces this transition: for people who decide the round */
  transitionName?: string;
  /** Accepts this proposal of the round: its transition, with its arguments unless metaJson replaces them */
  proposalId?: string;
  /** Replaces the reasoning of the winning proposal */
  reasoning?: string;
  /** Data of the decision */
  metaJson?: {};
  /** The person who acts, on a server that asks for no token. Default: the person of the actor token, else operator */
  actAs?: string;
  /** In US dollars: in place of what the specialist reports */
  costUSD?: number;
  /** Milliseconds that it took: in place of what the specialist reports */
  latencyMsec?: number;
  /** Tokens that were sent: in place of what the specialist reports */
  numInputTokens?: number;
  /** Tokens that were received: in place of what the specialist reports */
  numOutputTokens?: number;
}
export interface SubmitProposalInput {
  sessionId: string;
  /** The proposer */
  specialistId: string;
  /** Default: the current round. For a past one the proposal is kept as late */
  roundId?: string;
  /** States this proposal without asking the proposer: a transition that the state offers */
  transitionName?: string;
  /** Why */
  reasoning?: string;
  /** Data of the proposal */
  metaJson?: {};
  /** In US dollars: in place of what the specialist reports */
  costUSD?: number;
  /** Milliseconds that it took: in place of what the specialist reports */
  latencyMsec?: number;
  /** Tokens that were sent: in place of what the specialist reports */
  numInputTokens?: number;
  /** Tokens that were received: in place of what the specialist reports */
  numOutputTokens?: number;
}
export interface TickAllInput {}
export interface ForkSessionInput {
  sessionId: string;
  /** The last event that the fork has in common with the session: the last one of a command */
  atRevision: number;
  overrides?: ForkOverrides;
  /** `hold`: functions, webhooks and tools that change something wait for an approval */
  effects?: 'hold' | 'allow';
  /** Why */
  reason?: string;
}
export interface GetLlmCallInput {
  callId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListLlmCallsInput {
  /** `bodies`: with the requests and the replies */
  include?: 'bodies';
  /** Only those whose id begins with this text */
  idPrefix?: string;
  /** Only of this run */
  runId?: string;
  /** The workflow of the run */
  workflow?: string;
  /** Only of this session */
  sessionId?: string;
  /** Only of this specialist */
  specialistId?: string;
  /** Only of this machine */
  machineName?: string;
  /** Its name at the provider */
  model?: string;
  /** Only with this outcome */
  outcome?: 'toolCall' | 'decision' | 'noToolCall' | 'unreadable' | 'failed' | 'erased' | 'pending';
  /** Requested at or after this time */
  from?: string;
  /** Requested before this time */
  to?: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ListLlmCallsOfRunInput {
  runId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface ListLlmCallsOfSessionInput {
  sessionId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface ListWebhookCallsOfSessionInput {
  sessionId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface ListProvidersInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface DeletePersonInput {
  personId: string;
}
export interface GetPersonInput {
  personId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface GetPrincipalInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListPeopleInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface RegisterPersonInput {
  personId: string;
  /** For display */
  name?: string;
  /** A viewer reads; a reviewer also answers and decides; an operator may do everything */
  role: 'viewer' | 'reviewer' | 'operator';
  /**
   * The groups that they are in: definitions name groups of people who decide
   *
   * @maxItems 100
   */
  groups?: string[];
}
export interface ReplacePersonGroupsInput {
  personId: string;
  /**
   * Empty: none
   *
   * @maxItems 100
   */
  groups: string[];
}
export interface ReplacePersonTokenInput {
  personId: string;
}
export interface AssignTaskInput {
  /** `null`: ends the assignment */
  personId: string | null;
  taskId: string;
  /** The person who acts, on a server that asks for no token. Default: the person of the actor token, else operator */
  actAs?: string;
}
export interface ClaimTaskInput {
  /** Minutes */
  minutes?: number;
  taskId: string;
  /** The person who acts, on a server that asks for no token. Default: the person of the actor token, else operator */
  actAs?: string;
}
export interface CommentTaskInput {
  /** At most 4,000 characters */
  text: string;
  taskId: string;
  /** The person who acts, on a server that asks for no token. Default: the person of the actor token, else operator */
  actAs?: string;
}
export interface CountTasksInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface GetTaskInput {
  taskId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListTaskEventsInput {
  taskId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ListTasksInput {
  /** One or more of open, claimed, answered, expired, withdrawn, with commas; or all. Default: open,claimed */
  status?: string;
  kind?: 'decision' | 'approval' | 'answer';
  machineName?: string;
  workflow?: string;
  sessionId?: string;
  runId?: string;
  conversationId?: string;
  /** Only of the session, conversation or run with this key */
  key?: string;
  /** Only those that this person may answer; `me`: the caller */
  candidate?: string;
  /** Only those assigned to this person; `me`: the caller */
  assignee?: string;
  /** Only those claimed by this person; `me`: the caller */
  claimedBy?: string;
  /** `true`: only those past their `dueAt`; `false`: only the others */
  overdue?: 'true' | 'false';
  /** `due`: the earliest first, then those without a time; `priority`: the highest first; the oldest first within each */
  sort?: 'due' | 'since' | 'priority';
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ReleaseTaskInput {
  taskId: string;
  /** The person who acts, on a server that asks for no token. Default: the person of the actor token, else operator */
  actAs?: string;
}
export interface ExtendTaskInput {
  taskId: string;
  /** From now to 366 days */
  dueAt?: string;
  /** From now to 366 days: then it takes no answers */
  expiresAt?: string;
}
export interface AnswerTaskInput {
  /** One of the choices of the task: accept, transition, approve, reject, answer */
  choice: string;
  /** The digest of the task that was shown */
  digest?: string;
  /** To accept: the proposal */
  proposalId?: string;
  /** The transition */
  transitionName?: string;
  /** The arguments of the transition, or of the accepted proposal in place of its own */
  metaJson?: {};
  /** To approve a call: arguments in place of the shown ones */
  arguments?: {};
  /** To reject a call that was interrupted: its result */
  result?: {} | unknown[] | string | number | boolean | null;
  /** The answer to a question, as its schema wants it */
  payload?: {} | unknown[] | string | number | boolean | null;
  /** Why */
  reason?: string;
  /** The wait that is answered */
  version?: number;
  taskId: string;
  /** The person who acts, on a server that asks for no token. Default: the person of the actor token, else operator */
  actAs?: string;
}
export interface GiveUpRecoveryInput {
  stream: string;
}
export interface ListRecoveryInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface RetryRecoveryInput {
  stream: string;
}
export interface CancelRunInput {
  runId: string;
  /** Recorded with the cancellation */
  reason?: string;
}
export interface GetRunInput {
  runId: string;
  /** Milliseconds to wait for the run to end, or to wait for a person */
  waitMs?: number;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface ListRunsInput {
  /** Only of this workflow */
  workflow?: string;
  /** Only of this status */
  status?: 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';
  /** Started at or after this time */
  from?: string;
  /** Started before this time */
  to?: string;
  /** Only forks of this run */
  forkedFrom?: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** Only those whose id begins with this text */
  idPrefix?: string;
  /** Only with this key */
  key?: string;
  /** Only with this tag, `name:value`; of several, with all of them */
  tag?: string | string[];
  /** Only about this subject */
  subject?: string;
}
export interface SignalRunInput {
  runId: string;
  /** The name of the signal */
  name: string;
  /** Names one await if several wait for the same signal */
  awaitId?: string;
  /** A payload that fits the schema of the await */
  payload: {} | unknown[] | string | number | boolean | null;
  /** The person who acts, on a server that asks for no token. Default: the person of the actor token, else operator */
  actAs?: string;
}
export interface StartRunInput {
  /** The name of the workflow */
  workflow: string;
  /** An input that fits the schema of the workflow */
  input: {} | unknown[] | string | number | boolean | null;
  /** Your own name for the run, unique for its workflow: the same key and body again gives the same run. It stays in the log: use a pseudonym */
  key?: string;
  /** Texts by name, for the filter `tag` of lists */
  tags?: {
    [k: string]: string;
  };
  /** The person or customer it is about. Its content is encrypted under the key of this subject, until the subject is erased. The name stays in the log: use a pseudonym */
  subject?: string;
  /** Milliseconds to wait for the run to end, or to wait for a person */
  waitMs?: number;
}
export interface ListRunEventsInput {
  runId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
  /** Only this event, as `<stream>@<revision>` */
  event?: string;
  /** The most bytes of `data` as JSON: the largest members are left out until it fits */
  maxDataBytes?: number;
}
export interface ListToolCallsInput {
  runId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface ReplayRunInput {
  runId: string;
}
export interface ForkRunInput {
  runId: string;
  /** The last event that the fork has in common with the run: the next one comes from outside */
  atRevision: number;
  overrides?: RunForkOverrides;
  /** `hold`: functions, webhooks and tools that change something wait for an approval */
  effects?: 'hold' | 'allow';
  /** Why */
  reason?: string;
}
export interface RunForkOverrides {
  /** Replaces the whole input. The outcomes before the fork count as those of a run with this input */
  input?: {} | unknown[] | string | number | boolean | null;
  /** Replaces the first model of each call from the fork on, also in the runs that the fork starts */
  model?: string;
  /** Replaces the parameters of these calls */
  modelParameters?: {
    temperature?: number | null;
    topP?: number;
    seed?: number;
    maxTokens?: number;
    maxTokensField?: 'max_tokens' | 'max_completion_tokens';
    reasoningEffort?: string;
    toolChoice?: string | {};
    parallelToolCalls?: boolean;
    stop?: string | string[];
    stream?: boolean;
    extraBody?: {};
  };
}
export interface ListIterationsInput {
  runId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface GetTranscriptInput {
  runId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface GetToolInput {
  toolId: string;
  /** Default: the newest */
  version?: number;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListToolVersionsInput {
  toolId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ListToolsInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface RegisterToolInput {
  toolId: string;
  /** The description of the tool for the model */
  description: string;
  /** JSON Schema of the arguments */
  parameters: {};
  /** JSON Schema of the result */
  result?: {};
  /** The execution of the tool */
  execution:
    | {
        webhookUrl: string;
        webhookTokenName?: string;
      }
    | {
        fnName: string;
      }
    | {
        mcpServer: string;
        tool: string;
      };
  /** The handling of its calls */
  policy?: {
    /** A call changes nothing */
    readOnly?: boolean;
    /** Two calls with the same callId have the effect of one */
    idempotent?: boolean;
    /** A call removes or overwrites data */
    destructive?: boolean;
    /** True if people allow each call; or the calls that people allow, and the people */
    needsApproval?: boolean;
    /** Calls may run at the same time as their neighbours */
    concurrencySafe?: boolean;
    /** Milliseconds for one call */
    timeoutMs?: number;
    /** The most calls */
    maxAttempts?: number;
    /** The most characters of a result that a model gets */
    maxResultChars?: number;
  };
  /** The members of a conversation that the webhook gets besides the arguments. Default: none */
  sends?: ('data' | 'context' | 'history' | 'conversationId')[];
}
export interface DefineAgentInput {
  agent: AgentDefinition;
}
/** Conversational flows, and the data that they collect. */
export interface AgentDefinition {
  /** For editors; not part of the agent. */
  $schema?: string;
  /** Names the agent; a changed definition is its next version. */
  agentName: string;
  goal?: string;
  persona?: string;
  model: string;
  /** @maxItems 8 */
  backupModels?: string[];
  modelParameters?: {
    temperature?: number | null;
    topP?: number;
    seed?: number;
    maxTokens?: number;
    maxTokensField?: 'max_tokens' | 'max_completion_tokens';
    reasoningEffort?: string;
    toolChoice?: string | {};
    parallelToolCalls?: boolean;
    stop?: string | string[];
    stream?: boolean;
    extraBody?: {};
  };
  /** JSON Schema of the data: an object with properties. */
  schema?: {};
  initialData?: {};
  /** @maxItems 256 */
  terms?: {
    name: string;
    description: string;
    /** @maxItems 256 */
    synonyms?: string[];
  }[];
  knowledgeBase?: {};
  /** @maxItems 256 */
  instructions?: AgentDefinitionInstruction[];
  /**
   * Registered tools, with the gates of their calls.
   *
   * @maxItems 128
   */
  tools?: (
    | string
    | {
        tool: string;
        validateInput?: AgentDefinitionPredicate;
        checkPermissions?: AgentDefinitionPredicate;
      }
  )[];
  hooks?: {
    beforeRespond?: AgentDefinitionObserver;
    onDataUpdate?: AgentDefinitionObserver;
    onContextUpdate?: AgentDefinitionObserver;
    onEnter?: AgentDefinitionHook;
  };
  /**
   * @minItems 1
   * @maxItems 256
   */
  flows: AgentDefinitionFlow[];
  /** @maxItems 256 */
  signals?: AgentDefinitionSignal[];
  signalBatchSize?: number;
  flowSwitchMargin?: number;
  /** The model routes: there is no other router. */
  routerMode?: 'ai';
  maxAutoStepsPerTurn?: number;
  maxDirectiveChain?: number;
  maxToolLoops?: number;
  compaction?: {
    maxTokens: number;
    threshold?: number;
    preserveRecentCount?: number;
    maxToolResultChars?: number;
  };
}
export interface AgentDefinitionInstruction {
  /** Conditions that the model judges: at least one holds, and none of the exclusions, which begin with `!`. */
  when?: string | string[];
  /** All of them hold. */
  if?: AgentDefinitionPredicate | AgentDefinitionPredicate[];
  id?: string;
  kind?: 'must' | 'never' | 'should';
  /** Mustache over data, context, session and history. */
  prompt: string;
  enabled?: boolean;
  /** @maxItems 256 */
  tags?: string[];
  metadata?: {};
}
export interface AgentDefinitionDirective {
  goTo?:
    | string
    | {
        flow: string;
        step?: string;
        data?: {};
        reason?: string;
        carry?: 'preserve' | 'reset';
      };
  goToStep?:
    | string
    | {
        step: string;
        flow?: string;
        data?: {};
        reason?: string;
      };
  complete?:
    | true
    | {
        next?: {
          goTo?:
            | string
            | {
                flow: string;
                step?: string;
                data?: {};
                reason?: string;
                carry?: 'preserve' | 'reset';
              };
          goToStep?:
            | string
            | {
                step: string;
                flow?: string;
                data?: {};
                reason?: string;
              };
          complete?:
            | true
            | {
                reason?: string;
              };
          abort?:
            | string
            | {
                reason: string;
                clearSession?: boolean;
              };
          reset?:
            | true
            | {
                step?: string;
                clearData?: boolean;
                reason?: string;
              };
          reply?: string;
          dataUpdate?: {};
          contextUpdate?: {};
          /** @maxItems 256 */
          appendPrompt?: string[];
          /** @maxItems 256 */
          injectTools?: string[];
          halt?: boolean;
          reason?: string;
        };
        reason?: string;
      };
  abort?:
    | string
    | {
        reason: string;
        clearSession?: boolean;
      };
  reset?:
    | true
    | {
        step?: string;
        clearData?: boolean;
        reason?: string;
      };
  reply?: string;
  dataUpdate?: {};
  contextUpdate?: {};
  /** @maxItems 256 */
  appendPrompt?: string[];
  /** @maxItems 256 */
  injectTools?: string[];
  halt?: boolean;
  reason?: string;
}
export interface AgentDefinitionFlow {
  /** Conditions that the model judges: at least one holds, and none of the exclusions, which begin with `!`. */
  when?: string | string[];
  /** All of them hold. */
  if?: AgentDefinitionPredicate | AgentDefinitionPredicate[];
  id?: string;
  title: string;
  description?: string;
  /**
   * Registered tools, with the gates of their calls.
   *
   * @maxItems 128
   */
  tools?: (
    | string
    | {
        tool: string;
        validateInput?: AgentDefinitionPredicate;
        checkPermissions?: AgentDefinitionPredicate;
      }
  )[];
  /** @maxItems 256 */
  instructions?: AgentDefinitionInstruction[];
  /**
   * The flow is complete once all of these data are present.
   *
   * @maxItems 256
   */
  requiredFields?: string[];
  /** @maxItems 256 */
  optionalFields?: string[];
  initialData?: {};
  /**
   * @minItems 1
   * @maxItems 256
   */
  steps: AgentDefinitionStep[];
  /** The flow that follows. */
  onComplete?: string;
  /** The router may choose the completed flow again, if the user asks for it again. */
  reentrant?: boolean;
  /** The router never chooses it: a directive, a branch or onComplete leads to it. */
  entry?: 'directive';
  /** JSON Schema of the router's extras for this flow. */
  routingExtrasSchema?: {};
  /** JSON Schema of the data of an answer in this flow, besides its message. */
  responseOutputSchema?: {};
  hooks?: {
    onExit?: AgentDefinitionObserver;
    onDataUpdate?: AgentDefinitionObserver;
    onContextUpdate?: AgentDefinitionObserver;
    onEnter?: AgentDefinitionHook;
    onComplete?: AgentDefinitionHook;
  };
}
export interface AgentDefinitionStep {
  /** Conditions that the model judges: at least one holds, and none of the exclusions, which begin with `!`. */
  when?: string | string[];
  /** All of them hold. */
  if?: AgentDefinitionPredicate | AgentDefinitionPredicate[];
  id?: string;
  description?: string;
  /** The model's task at this step. Mustache. */
  prompt?: string;
  /** Passed without a model. */
  auto?: boolean;
  /** The message of the step, in place of the model's. Mustache. */
  reply?: string;
  /**
   * Data that the step collects: it is satisfied once all are present.
   *
   * @maxItems 256
   */
  collect?: string[];
  /**
   * Data that must be present before the step is entered.
   *
   * @maxItems 256
   */
  requires?: string[];
  /** The step is passed over if one of these holds. */
  skip?: AgentDefinitionPredicate | AgentDefinitionPredicate[];
  /**
   * Registered tools, with the gates of their calls.
   *
   * @maxItems 128
   */
  tools?: (
    | string
    | {
        tool: string;
        validateInput?: AgentDefinitionPredicate;
        checkPermissions?: AgentDefinitionPredicate;
      }
  )[];
  /** @maxItems 256 */
  instructions?: AgentDefinitionInstruction[];
  prepare?: AgentDefinitionHook;
  finalize?: AgentDefinitionHook;
  hooks?: {
    onExit?: AgentDefinitionObserver;
    onEnter?: AgentDefinitionHook;
    prepare?: AgentDefinitionHook;
    finalize?: AgentDefinitionHook;
  };
  /**
   * The first branch that applies gives the next step.
   *
   * @minItems 1
   * @maxItems 256
   */
  branches?: AgentDefinitionBranch[];
  /** Default: the step after this one. Of several the model chooses. */
  next?: string | string[];
}
export interface AgentDefinitionBranch {
  /** Conditions that the model judges: at least one holds, and none of the exclusions, which begin with `!`. */
  when?: string | string[];
  /** All of them hold. */
  if?: AgentDefinitionPredicate | AgentDefinitionPredicate[];
  then: string | AgentDefinitionDirective;
  label?: string;
}
export interface AgentDefinitionSignal {
  /** Conditions that the model judges: at least one holds, and none of the exclusions, which begin with `!`. */
  when?: string | string[];
  /** All of them hold. */
  if?: AgentDefinitionPredicate | AgentDefinitionPredicate[];
  id: string;
  title?: string;
  description?: string;
  phase: 'pre' | 'post' | 'both';
  /** JSON Schema of the values that the model extracts from the conversation. */
  extract?: {};
  /** A directive, or a registered function or tool that answers one. */
  handler?:
    | AgentDefinitionObserver
    | {
        goTo?:
          | string
          | {
              flow: string;
              step?: string;
              data?: {};
              reason?: string;
              carry?: 'preserve' | 'reset';
            };
        goToStep?:
          | string
          | {
              step: string;
              flow?: string;
              data?: {};
              reason?: string;
            };
        complete?:
          | true
          | {
              next?: {
                goTo?:
                  | string
                  | {
                      flow: string;
                      step?: string;
                      data?: {};
                      reason?: string;
                      carry?: 'preserve' | 'reset';
                    };
                goToStep?:
                  | string
                  | {
                      step: string;
                      flow?: string;
                      data?: {};
                      reason?: string;
                    };
                complete?:
                  | true
                  | {
                      reason?: string;
                    };
                abort?:
                  | string
                  | {
                      reason: string;
                      clearSession?: boolean;
                    };
                reset?:
                  | true
                  | {
                      step?: string;
                      clearData?: boolean;
                      reason?: string;
                    };
                reply?: string;
                dataUpdate?: {};
                contextUpdate?: {};
                /** @maxItems 256 */
                appendPrompt?: string[];
                /** @maxItems 256 */
                injectTools?: string[];
                halt?: boolean;
                reason?: string;
              };
              reason?: string;
            };
        abort?:
          | string
          | {
              reason: string;
              clearSession?: boolean;
            };
        reset?:
          | true
          | {
              step?: string;
              clearData?: boolean;
              reason?: string;
            };
        reply?: string;
        dataUpdate?: {};
        contextUpdate?: {};
        /** @maxItems 256 */
        appendPrompt?: string[];
        /** @maxItems 256 */
        injectTools?: string[];
        halt?: boolean;
        reason?: string;
        stopOtherSignals?: boolean;
        replyWith?: string;
      };
  behavior?: 'once' | 'always' | 'cooldown';
  cooldownMs?: number;
  enabled?: boolean;
  priority?: number;
}
export interface GetAgentInput {
  agentName: string;
  /** Default: the current version */
  version?: number;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface GetAgentDiagramInput {
  agentName: string;
  /** Default: the current version */
  version?: number;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListAgentsInput {
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
}
export interface ValidateAgentInput {
  agent: AgentDefinition;
}
export interface GetConversationInput {
  conversationId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface GetConversationAtInput {
  conversationId: string;
  /** The revision of the event; the first has 0 */
  revision: number;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
}
export interface ListConversationEventsInput {
  conversationId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
  /** Only this event, as `<stream>@<revision>` */
  event?: string;
  /** The most bytes of `data` as JSON: the largest members are left out until it fits */
  maxDataBytes?: number;
}
export interface ListConversationsInput {
  /** Only with this agent */
  agentName?: string;
  /** How the last turn ended */
  status?: 'open' | 'completed' | 'aborted';
  /** Only forks of this conversation */
  forkedFrom?: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** Only those whose id begins with this text */
  idPrefix?: string;
  /** Only with this key */
  key?: string;
  /** Only with this tag, `name:value`; of several, with all of them */
  tag?: string | string[];
  /** Only about this subject */
  subject?: string;
}
export interface ReplayConversationInput {
  conversationId: string;
}
export interface StartConversationInput {
  agentName: string;
  /** Default: the current version */
  agentVersion?: number;
  /** Over the initial data of the agent */
  initialData?: {};
  /** Values that templates and predicates see besides the data */
  context?: {};
  /** Your own name for the conversation, unique for its agent: the same key and body again gives the same conversation. It stays in the log: use a pseudonym */
  key?: string;
  /** Texts by name, for the filter `tag` of lists */
  tags?: {
    [k: string]: string;
  };
  /** The person or customer it is about. Its content is encrypted under the key of this subject, until the subject is erased. The name stays in the log: use a pseudonym */
  subject?: string;
}
export interface ForkConversationInput {
  conversationId: string;
  /** The last turn that the fork has in common with the conversation */
  atTurn: string;
  overrides?: ConversationForkOverrides;
  /** `hold`: functions, webhooks and tools that change something wait for an approval */
  effects?: 'hold' | 'allow';
  /** Why */
  reason?: string;
}
export interface ConversationForkOverrides {
  /** Replaces the agent's model from the fork on; its backup models stay */
  model?: string;
  /** Replaces the agent's parameters of the model */
  modelParameters?: {
    temperature?: number | null;
    topP?: number;
    seed?: number;
    maxTokens?: number;
    maxTokensField?: 'max_tokens' | 'max_completion_tokens';
    reasoningEffort?: string;
    toolChoice?: string | {};
    parallelToolCalls?: boolean;
    stop?: string | string[];
    stream?: boolean;
    extraBody?: {};
  };
}
export interface ListLlmCallsOfConversationInput {
  conversationId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface ListToolCallsOfConversationInput {
  conversationId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface CancelTurnInput {
  conversationId: string;
  /** Recorded with the cancellation */
  reason?: string;
}
export interface DispatchDirectiveInput {
  conversationId: string;
  /** A flow, by id or title */
  goTo?:
    | string
    | {
        flow: string;
        step?: string;
        data?: {};
        reason?: string;
        carry?: 'preserve' | 'reset';
      };
  /** A step of the current flow, or of the flow that it names */
  goToStep?:
    | string
    | {
        step: string;
        flow?: string;
        data?: {};
        reason?: string;
      };
  /** The current flow is complete */
  complete?:
    | true
    | {
        next?: {
          goTo?:
            | string
            | {
                flow: string;
                step?: string;
                data?: {};
                reason?: string;
                carry?: 'preserve' | 'reset';
              };
          goToStep?:
            | string
            | {
                step: string;
                flow?: string;
                data?: {};
                reason?: string;
              };
          complete?:
            | true
            | {
                reason?: string;
              };
          abort?:
            | string
            | {
                reason: string;
                clearSession?: boolean;
              };
          reset?:
            | true
            | {
                step?: string;
                clearData?: boolean;
                reason?: string;
              };
          reply?: string;
          dataUpdate?: {};
          contextUpdate?: {};
          /** @maxItems 256 */
          appendPrompt?: string[];
          /** @maxItems 256 */
          injectTools?: string[];
          halt?: boolean;
          reason?: string;
        };
        reason?: string;
      };
  /** The reason why the conversation ends */
  abort?:
    | string
    | {
        reason: string;
        clearSession?: boolean;
      };
  /** The current flow begins again */
  reset?:
    | true
    | {
        step?: string;
        clearData?: boolean;
        reason?: string;
      };
  /** The message in place of the model's */
  reply?: string;
  /** Merged into the data */
  dataUpdate?: {};
  /** Merged into the context */
  contextUpdate?: {};
  /**
   * No effect here: only for the model of a running turn
   *
   * @maxItems 256
   */
  appendPrompt?: string[];
  /**
   * No effect here: only for the model of a running turn
   *
   * @maxItems 256
   */
  injectTools?: string[];
  /** No effect here: only for the model of a running turn */
  halt?: boolean;
  /** The reason, for readers only */
  reason?: string;
}
export interface ListTurnsInput {
  conversationId: string;
  /** Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave */
  minPosition?: string;
  /** Items at most */
  limit?: number;
  /** `nextCursor` of the page before */
  cursor?: string;
  /** As it was: after this revision of its stream, at this time, or at `position:<position>` */
  at?: string;
}
export interface SendMessageInput {
  conversationId: string;
  /** The user's message */
  text: string;
  /** Overrides the context of the conversation in this turn */
  context?: {};
}
export interface SignalTurnInput {
  conversationId: string;
  /** The name of the signal */
  name: string;
  /** Names one await if several wait for the same signal */
  awaitId?: string;
  /** A value by the schema of the await */
  payload: {} | unknown[] | string | number | boolean | null;
  /** The person who acts, on a server that asks for no token. Default: the person of the actor token, else operator */
  actAs?: string;
}
export interface AgentReport {
  valid: boolean;
  errors: ProblemAt[];
  /** The number of all, if not all are listed */
  errorCount?: number;
  warnings: ProblemAt[];
}
export interface ProblemAt {
  /** JSON pointer */
  path: string;
  message: string;
}
export interface AgentView {
  agentName: string;
  version: number;
  /** SHA-256 of the definition */
  hash: string;
  definition: AgentDefinition;
}
export interface AlignmentOfSpecialist {
  machineName: string;
  specialistVersion: number;
  /** Present if the machine declares specialists for that state */
  state?: string;
  matchingChoices: number;
  totalComparisons: number;
  /** From 0 to 1 */
  alignmentScore: number;
}
export interface Amount {
  currency: string;
  amount: number;
}
export interface AmountsView {
  a: number;
  b: number;
}
export interface AnswerReading {
  outcome: 'toolCall' | 'decision' | 'noToolCall' | 'unreadable' | 'failed' | 'erased' | 'pending';
  /** Absent if the answer chooses none, and for calls outside of solicitations */
  transitionName?: string;
  metaJson?: {};
}
export interface AnsweredTask {
  task: Task;
  /** The session after a decision */
  session?: {};
  /** The run right after an approval or an answer */
  run?: {};
  /** The turn, once it has ended or waits again */
  turn?: {};
}
export interface Task {
  taskId: string;
  /** The number of its waits so far */
  version: number;
  kind: 'decision' | 'approval' | 'answer';
  status: 'open' | 'claimed' | 'answered' | 'expired' | 'withdrawn';
  title: string;
  question: string;
  /** Why people are asked, as a word */
  reason: string;
  /** The reason as a sentence */
  detail: string;
  /** The session, its machine, state, round and metaJson; or the run, its wait, and the tool and call; and the key, tags and subject of the session, conversation or run that it works for */
  about: {};
  /** The open proposals of the round, each with the alignment of its author */
  proposals?: unknown[];
  /** The arguments of the call to approve */
  arguments?: {};
  /** The question as a workflow put it */
  prompt?: {} | unknown[] | string | number | boolean | null;
  choices: TaskChoiceView[];
  /** SHA-256 of the shown content: an answer to a decision sends it back */
  digest: string;
  candidates: CandidatesView;
  excluded: string[];
  approvals: ApprovalsView;
  /** The only person who can answer */
  assignee?: string;
  claimedBy?: string;
  claimedUntil?: string;
  priority: number;
  /** The beginning of the last wait */
  since: string;
  /** When it is due */
  dueAt?: string;
  /** It is past `dueAt`, and open or claimed */
  overdue: boolean;
  /** When it takes no more answers */
  expiresAt?: string;
  /** How many escalations have happened */
  escalated: number;
  comments: TaskComment[];
  answer?: TaskAnswerView;
  isFork: boolean;
}
export interface TaskChoiceView {
  choice: string;
  transitionName?: string;
  toState?: string;
  proposalId?: string;
  /** The closed JSON Schema of the body that makes this choice */
  schema: {};
}
export interface CandidatesView {
  people: string[];
  groups: string[];
}
export interface ApprovalsView {
  needed: number;
  given: GivenApproval[];
}
export interface GivenApproval {
  by: string;
  at: string;
  choice: string;
  transitionName?: string;
}
export interface TaskComment {
  by: string;
  at: string;
  text: string;
}
export interface TaskAnswerView {
  /** The person */
  by: string;
  at: string;
  choice: string;
  proposalId?: string;
  transitionName?: string;
  metaJson?: {};
  arguments?: {};
  payload?: {} | unknown[] | string | number | boolean | null;
  reason?: string;
  /** The arguments differ from those of the accepted proposal, or of the call */
  edited: boolean;
}
export interface AppliedInstructionView {
  id: string;
  scope: 'global' | 'flow' | 'step';
  scopeRef?: string;
}
export interface Arbitration {
  /** In US dollars: as the caller gave it, else as the arbiter said or its calls took */
  costUSD?: number;
  /** Milliseconds that it took: as the caller gave it, else as the arbiter said or its calls took */
  latencyMsec?: number;
  /** Tokens that were sent: as the caller gave it, else as the arbiter said or its calls took */
  numInputTokens?: number;
  /** Tokens that were received: as the caller gave it, else as the arbiter said or its calls took */
  numOutputTokens?: number;
  arbitrationId: string;
  sessionId: string;
  /** The round of the call */
  roundId: string;
  specialistId?: string;
  /** The round of the call is not the current one */
  stale: boolean;
  guardsPass: boolean;
  guardReason: string;
  winningProposalId?: string;
  transitionName?: string;
  toState?: string;
  reasoning?: string;
  /** Whether it executed a transition */
  executed: boolean;
  isHuman: boolean;
  decidedBy?: string;
  metaJson?: {};
}
export interface AwaitView {
  awaitId: string;
  signal: string;
  /** JSON Schema of the payload */
  schema?: {} | unknown[] | string | number | boolean | null;
  /** Details of the question, from the run */
  prompt?: {} | unknown[] | string | number | boolean | null;
  since: string;
  /** When the run stops waiting */
  dueAt?: string;
}
export interface AwaitedItem {
  awaitId: string;
  signal: string;
  /** JSON Schema of the payload */
  schema?: {} | unknown[] | string | number | boolean | null;
  /** Details of the question, from the run */
  prompt?: {} | unknown[] | string | number | boolean | null;
  since: string;
  /** When the run stops waiting */
  dueAt?: string;
  kind: 'approval' | 'answer';
  runId: string;
  workflow: string;
  /** Where the run is a turn: the conversation takes the signal */
  conversationId?: string;
}
export interface CallTry {
  runId: string;
  call: LlmCall;
  reading: AnswerReading;
}
export interface LlmCall {
  callId: string;
  /** null if no reply came */
  responseStatus: number | null;
  /** The body was cut, was too large, or could not be decoded: it has the received bytes, at most 1 MiB */
  responseIncomplete?: true;
  responseEncoding?: 'base64';
  durationMs: number | null;
  error: string | null;
  requestedAt: string;
  completedAt?: string;
  runId: string;
  /** The workflow of the run */
  workflow: string;
  sessionId?: string;
  solicitationId?: string;
  specialistId?: string;
  specialistVersion?: number;
  machineName?: string;
  /** The rung, in a solicitation */
  rung?: 'tools' | 'text' | 'reask' | 'structured';
  /** The round, in a run that works in rounds */
  round?: number;
  provider: string;
  /** Its name at the provider */
  model: string;
  /** Counted over all models of one question, backups included */
  attempt: number;
  resolvedModel?: string;
  /** Milliseconds until the first part of the message in a streamed reply */
  firstTokenMs?: number;
  outcome: 'toolCall' | 'decision' | 'noToolCall' | 'unreadable' | 'failed' | 'erased' | 'pending';
  usage?: Usage;
  tokens: Tokens;
  /** Absent if no price was in force, or if the usage is unknown */
  costUSD?: number;
  requestUrl: string;
  /** Credentials redacted */
  requestHeaders: {};
  requestBody: {};
  responseBody: string | null;
}
export interface Usage {
  prompt_tokens?: number;
  completion_tokens?: number;
}
export interface Tokens {
  inputUncached: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
}
export interface CalledToolView {
  /** Unique within the turn */
  callId: string;
  toolId: string;
  /** Absent if they are long: the tool calls of the run have them */
  arguments?: {};
  status: 'completed' | 'failed';
}
export interface ChainLinkView {
  source: string;
  directive: {};
  /** The reason why it was not applied */
  refused?: string;
}
export interface CollapseMetrics {
  /** Decisions of people and of arbiters */
  totalDecisions: number;
  /** Decisions that a person forced */
  humanDecisions: number;
  /** Decisions of an arbiter for a transition that a person had also proposed */
  agreedDecisions: number;
  /** Decisions of an arbiter for a transition that no person had proposed */
  aiDecisions: number;
  /** Transitions that an operator executed: not in the total */
  operatorDecisions: number;
  /** Transitions that a timer executed: not in the total; absent if there are none */
  timerDecisions?: number;
  /** Share of the decisions that models made alone, from 0 to 1; 0 before there was any */
  collapseRatio: number;
  /** The mean over the decisions with a margin; null if there is none */
  meanMargin: number | null;
  machineName: string;
  /** `collapseRatio` of the last 10 */
  recentCollapseRatio: number;
  /** The numbers of each state with decisions, by name */
  states: StateDecisionCounts[];
  /** By the rule that sessions use */
  alignment: SpecialistAlignment[];
  specialists: SpecialistWins[];
  signals: MonitoringSignal[];
}
export interface StateDecisionCounts {
  /** Decisions of people and of arbiters */
  totalDecisions: number;
  /** Decisions that a person forced */
  humanDecisions: number;
  /** Decisions of an arbiter for a transition that a person had also proposed */
  agreedDecisions: number;
  /** Decisions of an arbiter for a transition that no person had proposed */
  aiDecisions: number;
  /** Transitions that an operator executed: not in the total */
  operatorDecisions: number;
  /** Transitions that a timer executed: not in the total; absent if there are none */
  timerDecisions?: number;
  /** Share of the decisions that models made alone, from 0 to 1; 0 before there was any */
  collapseRatio: number;
  /** The mean over the decisions with a margin; null if there is none */
  meanMargin: number | null;
  state: string;
}
export interface SpecialistAlignment {
  specialistId: string;
  specialistVersion: number;
  /** Present if the machine declares specialists for that state */
  state?: string;
  matchingChoices: number;
  totalComparisons: number;
  /** From 0 to 1 */
  alignmentScore: number;
}
export interface SpecialistWins {
  specialistId: string;
  isHuman: boolean;
  /** Proposals in rounds that people or arbiters decided */
  totalProposals: number;
  /** Proposals for the decided transition */
  winningProposals: number;
  winRate: number;
}
export interface MonitoringSignal {
  code:
    | 'COLD_START'
    | 'SINGLE_SPECIALIST'
    | 'LOW_ALIGNMENT'
    | 'FEW_COMPARISONS'
    | 'THIN_MARGIN'
    | 'FULL_COLLAPSE'
    | 'ALIGNMENT_PLATEAU';
  /** `action`: a person has to act. `warning`: a risk. `info`: a fact worth knowing */
  level: 'action' | 'warning' | 'info';
  /** One sentence for people */
  text: string;
}
export interface ComparedStep {
  a?: DecidedStep;
  b?: DecidedStep;
  changes: StepChange[];
}
export interface DecidedStep {
  fromState: string;
  transitionName: string;
  toState: string;
  reasoning: string;
  metaJson?: {} | unknown[] | string | number | boolean | null;
  isHuman: boolean;
  decidedBy: string;
  /** The proposals of the round, in the order they arrived */
  proposals: unknown[];
}
export interface StepChange {
  /** JSON pointer into the step; empty if only one session has this step */
  pointer: string;
  /** `null` if the first session has no value there */
  a: {} | unknown[] | string | number | boolean | null;
  /** `null` if the other session has no value there */
  b: {} | unknown[] | string | number | boolean | null;
}
export interface ConcludedLlmCall {
  callId: string;
  /** null if no reply came */
  responseStatus: number | null;
  /** The body was cut, was too large, or could not be decoded: it has the received bytes, at most 1 MiB */
  responseIncomplete?: true;
  responseEncoding?: 'base64';
  durationMs: number | null;
  error: string | null;
  requestedAt: string;
  completedAt?: string;
  runId: string;
  /** The workflow of the run */
  workflow: string;
  sessionId?: string;
  solicitationId?: string;
  specialistId?: string;
  specialistVersion?: number;
  machineName?: string;
  /** The rung, in a solicitation */
  rung?: 'tools' | 'text' | 'reask' | 'structured';
  /** The round, in a run that works in rounds */
  round?: number;
  provider: string;
  /** Its name at the provider */
  model: string;
  /** Counted over all models of one question, backups included */
  attempt: number;
  resolvedModel?: string;
  /** Milliseconds until the first part of the message in a streamed reply */
  firstTokenMs?: number;
  outcome: 'toolCall' | 'decision' | 'noToolCall' | 'unreadable' | 'failed' | 'erased' | 'pending';
  usage?: Usage;
  tokens: Tokens;
  /** Absent if no price was in force, or if the usage is unknown */
  costUSD?: number;
  requestUrl: string;
  /** Credentials redacted */
  requestHeaders: {};
  requestBody: {};
  responseBody: string | null;
  /** The conclusion from the reply, as a sentence */
  conclusion: string;
  /** The choice in the reply did not fit, and the model was asked again */
  askedAgain?: true;
}
export interface Consensus {
  consensusReached: boolean;
  winningProposalId?: string;
  reasoning: string;
  margin?: number;
  threshold?: number;
  quorum: QuorumView;
}
export interface QuorumView {
  needed: number;
  present: number;
}
export interface ConversationForkedFrom {
  conversationId: string;
  /** The last turn that both have in common */
  turnId: string;
  by: string;
  reason?: string;
}
export interface ConversationReplayReport {
  identical: boolean;
  streamsChecked: number;
  /** Events that were derived again */
  eventsChecked: number;
  /** Events from outside, taken as they are recorded */
  eventsTaken: number;
  /** Streams of erased subjects: only their structure was checked; absent if there are none */
  erased?: number;
  /** Histories that have not ended */
  open: number;
  divergences: Divergence[];
  conversationId: string;
  /** Events of turns that began in a release without allowances and take more than one: they are taken as recorded */
  notRecomputed?: number;
}
export interface Divergence {
  stream: string;
  revision: number;
  type: string;
  /** JSON pointer into the event */
  pointer: string;
  recorded?: {} | unknown[] | string | number | boolean | null;
  replayed?: {} | unknown[] | string | number | boolean | null;
  /** Steps of the run that were open before the event, oldest first, at most 20 */
  waiting?: string[];
}
export interface ConversationSummary {
  conversationId: string;
  agentName: string;
  agentVersion: number;
  /** How the last turn ended; the next message opens it again */
  status: 'open' | 'completed' | 'aborted';
  /** The name that its creator gave it */
  key?: string;
  /** Texts by name */
  tags?: {};
  /** The person or customer it is about: its content is encrypted in the log */
  subject?: string;
  /** Its subject was erased: texts read `[erased]`, other content is left out */
  erased?: boolean;
  forkedFrom?: ConversationForkedFrom;
  createdAt: string;
  updatedAt: string;
  revision: number;
}
export interface ConversationView {
  conversationId: string;
  agentName: string;
  agentVersion: number;
  /** How the last turn ended; the next message opens it again */
  status: 'open' | 'completed' | 'aborted';
  /** The name that its creator gave it */
  key?: string;
  /** Texts by name */
  tags?: {};
  /** The person or customer it is about: its content is encrypted in the log */
  subject?: string;
  /** Its subject was erased: texts read `[erased]`, other content is left out */
  erased?: boolean;
  forkedFrom?: ConversationForkedFrom;
  createdAt: string;
  updatedAt: string;
  revision: number;
  agentHash: string;
  data: {};
  context?: {};
  currentFlow?: FlowRef;
  currentStep?: StepRef;
  flowHistory: FlowVisitView[];
  /** Applied first in the next turn */
  pendingDirective?: {};
  /** `triggers`: by id `{ count, firstAt, lastAt, lastReason, lastPhase }` */
  signals: {};
  history: HistoryEntry[];
  usage: RunUsage;
}
export interface FlowRef {
  id: string;
  title: string;
  enteredAt: string;
  progress: FlowProgress;
}
export interface FlowProgress {
  /** All required fields are present */
  isComplete: boolean;
  /** Required fields that are not present */
  missing: string[];
  /** The share of required fields that are present; 0 if none is required */
  share: number;
}
export interface StepRef {
  id: string;
  description?: string;
  enteredAt: string;
}
export interface FlowVisitView {
  flowId: string;
  enteredAt: string;
  exitedAt?: string;
  completed: boolean;
}
export interface HistoryEntry {
  role: 'user' | 'assistant';
  content: string;
  turnId: string;
}
export interface RunUsage {
  /** Calls of models */
  calls: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** Absent if no price is known */
  costUSD?: number;
}
export interface Counts {
  /** Open tasks without claimed ones */
  open: number;
  claimed: number;
  overdue: number;
  /** Claimed by or assigned to the caller */
  mine: number;
  /** Open tasks that the caller may answer, without claimed ones */
  claimable: number;
}
export interface CreatedGate {
  gateId: string;
  version: number;
  /** The version of the machine that has the gate's name */
  machineVersion: number;
  definition: GateDefinition;
  /** By id of the declared humans: their tokens, returned once and stored only as hashes */
  actorTokens?: {
    [k: string]: unknown;
  };
  /** Warnings: the definition is legal, but probably not as its author meant */
  warnings?: ProblemAt[];
}
export interface CreatedSession {
  sessionId: string;
  machineName: string;
  machineVersion?: number;
  machineHash: string;
  currentState: string;
  currentRoundId: string;
  /** `done`: at rest. `needs_human`: it waits for a person */
  status: 'open' | 'needs_human' | 'done' | 'closed';
  history: TransitionRecord[];
  metaJson?: {};
  /** The name that its creator gave it */
  key?: string;
  /** Texts by name */
  tags?: {};
  /** The person or customer it is about: its content is encrypted in the log */
  subject?: string;
  /** Its subject was erased: texts read `[erased]`, other content is left out */
  erased?: boolean;
  forkedFrom?: ForkedFrom;
  createdAt: string;
  updatedAt: string;
  /** The revision of the session's stream */
  revision: number;
  machine: MachineDefinition;
  /** By id of the machine's humans: their tokens, returned once and stored only as hashes */
  actorTokens?: {
    [k: string]: unknown;
  };
}
export interface TransitionRecord {
  transitionName: string;
  fromState: string;
  toState: string;
  reasoning: string;
  metaJson?: {};
  isHuman: boolean;
  /** A specialist, `default`, `operator` or `timer` */
  decidedBy: string;
  proposalId?: string;
  executionTimestamp: string;
}
export interface ForkedFrom {
  sessionId: string;
  /** The last event that both have in common */
  revision: number;
  by: string;
  reason?: string;
}
export interface Decision {
  sessionId: string;
  machineName: string;
  /** The revision of the transition in the session's stream */
  revision: number;
  /** The position of the transition in the log */
  position: string;
  roundId: string;
  fromState: string;
  toState: string;
  transitionName: string;
  /** The kind of decider: an arbiter that saw consensus, a person, an operator, a timer */
  how: 'consensus' | 'override' | 'operator' | 'timer';
  isHuman: boolean;
  /** The arbiter that saw consensus */
  arbiterId?: string;
  /** The person, if one overrode the proposals */
  specialistId?: string;
  winningProposalId?: string;
  /** The reason of the decision; empty without one */
  reasoning: string;
  /** The proposals of the round, in the order they arrived */
  proposals: ProposalRef[];
  alignment?: KnownAlignment;
  /** From 0 to 1; null unless an arbiter that measures one decided */
  margin: number | null;
  /** The threshold that the arbiter used, else the one that the machine declares for the state */
  threshold?: number;
  decidedAt: string;
}
export interface ProposalRef {
  proposalId: string;
  specialistId: string;
  specialistVersion: number;
  isHuman: boolean;
  transitionName: string;
}
export interface KnownAlignment {
  rule: string;
  ruleVersion: number;
  position?: string;
  scores: KnownScore[];
}
export interface KnownScore {
  specialistId: string;
  specialistVersion: number;
  score: number;
  comparisons?: number;
}
export interface DecisionDay {
  /** The UTC day */
  day: string;
  /** Absent with `by=day` */
  machineName?: string;
  /** The state that was left; absent with `by=day` */
  state?: string;
  /** Decisions that a person forced */
  humanDecisions: number;
  /** Decisions of an arbiter for a transition that a person had also proposed */
  agreedDecisions: number;
  /** Decisions of an arbiter for a transition that no person had proposed */
  aiDecisions: number;
  /** Transitions that an operator executed */
  operatorDecisions: number;
  /** Transitions that a timer executed */
  timerDecisions: number;
}
export interface DefinedAgent {
  agentName: string;
  version: number;
  /** SHA-256 of the definition */
  hash: string;
  definition: AgentDefinition;
  /** Warnings: the definition is legal, but probably not as its author meant */
  warnings: ProblemAt[];
}
export interface DefinedMachine {
  machineName: string;
  version: number;
  /** SHA-256 of the definition */
  hash: string;
  definition: MachineDefinition;
  /** Warnings: the definition is legal, but probably not as its author meant */
  warnings: ProblemAt[];
  /** By id of the declared humans: the token that proves a person's identity as this human, returned once and stored only as a hash */
  actorTokens?: {
    [k: string]: unknown;
  };
}
export interface DeliveryAttempt {
  at: string;
  /** The HTTP status of the answer */
  status?: number;
  /** Why it failed; absent if it succeeded */
  error?: string;
}
export interface Diff {
  /** Whether all decided rounds are the same */
  same: boolean;
  /** The decided rounds of both, side by side */
  steps: ComparedStep[];
  costUSD: AmountsView;
  latencyMsec: AmountsView;
}
export interface ErasedSubject {
  subject: string;
  /** The number of streams about it */
  streams: number;
  erasedAt: string;
  /** Exports of its content before it was erased, oldest first */
  exports: HoldingExport[];
}
export interface HoldingExport {
  at: string;
  /** A person, or `operator` */
  by: string;
  /** A dataset with rounds about it, or a history file, whose content is encrypted without the key */
  what: 'training' | 'preferences' | 'history' | 'history-without-key';
}
export interface EstimatedBand {
  low: number;
  expected: number;
  high: number;
}
export interface Evaluation {
  evaluationId: string;
  specialistId: string;
  specialistVersion: number;
  specialistMachine: string;
  /** The machine whose rounds are evaluated */
  machineName: string;
  against: 'exemplars' | 'decisions';
  status: 'running' | 'completed' | 'failed';
  startedAt: string;
  completedAt?: string;
  failure?: RunFailure;
  /** The number of rounds that it is asked about */
  rounds: number;
  /** Rounds in which it chose the decided transition. Present once the evaluation has ended */
  matchingChoices?: number;
  /** The share of these rounds; null without rounds */
  transitionRate?: number | null;
  /** The share of the rounds in which it chose the decided target state; null without rounds */
  stateRate?: number | null;
  alignmentScore?: number;
  totalCostUSD?: number | null;
  costUSD?: number;
  meanLatencyMsec?: number | null;
  numInputTokens?: number | null;
  numOutputTokens?: number | null;
  /** The number of rounds without a choice */
  failures?: number;
  /** In the order of the decisions, the last one first */
  samples: EvaluationSample[];
}
export interface RunFailure {
  kind: string;
  message: string;
}
export interface EvaluationSample {
  sampleId: string;
  sessionId: string;
  roundId: string;
  state: string;
  transitionName: string;
  toState: string;
  /** Present once the specialist was asked */
  solicitationId?: string;
  answer?: SampleAnswer;
}
export interface SampleAnswer {
  /** In US dollars */
  costUSD?: number;
  /** Milliseconds that it took */
  latencyMsec?: number;
  /** Tokens that were sent */
  numInputTokens?: number;
  /** Tokens that were received */
  numOutputTokens?: number;
  transitionName?: string;
  toState?: string;
  failure?: FailureView;
  matches: boolean;
}
export interface FailureView {
  kind: string;
  message: string;
  upstreamStatus?: number;
}
export interface EvaluationReplayReport {
  identical: boolean;
  streamsChecked: number;
  /** Events that were derived again */
  eventsChecked: number;
  /** Events from outside, taken as they are recorded */
  eventsTaken: number;
  /** Streams of erased subjects: only their structure was checked; absent if there are none */
  erased?: number;
  /** Histories that have not ended */
  open: number;
  divergences: Divergence[];
  evaluationId: string;
}
export interface EvaluationSummary {
  evaluationId: string;
  specialistId: string;
  specialistVersion: number;
  specialistMachine: string;
  /** The machine whose rounds are evaluated */
  machineName: string;
  against: 'exemplars' | 'decisions';
  status: 'running' | 'completed' | 'failed';
  startedAt: string;
  completedAt?: string;
  failure?: RunFailure;
  /** The number of rounds that it is asked about */
  rounds: number;
  /** Rounds in which it chose the decided transition. Present once the evaluation has ended */
  matchingChoices?: number;
  /** The share of these rounds; null without rounds */
  transitionRate?: number | null;
  /** The share of the rounds in which it chose the decided target state; null without rounds */
  stateRate?: number | null;
  alignmentScore?: number;
  totalCostUSD?: number | null;
  costUSD?: number;
  meanLatencyMsec?: number | null;
  numInputTokens?: number | null;
  numOutputTokens?: number | null;
  /** The number of rounds without a choice */
  failures?: number;
}
export interface EventNotice {
  /** The position in the whole log: opaque */
  position: string;
  stream: string;
  revision: number;
  type: string;
  /** Why the event cannot be read */
  problem?: string;
}
export interface ExecutedStep {
  flowId: string;
  stepId: string;
  kind: 'llm' | 'auto' | 'reply';
}
export interface Exemplar {
  sessionId: string;
  roundId: string;
  machineName: string;
  state: string;
  /** The person */
  specialistId: string;
  transitionName: string;
  toState: string;
  reasoning: string;
  metaJson?: {};
  /** It was imported: its session and round are not in the log */
  imported: boolean;
  /** The context of its proposers; absent if it was imported, or its session cannot be read */
  context?: {};
  /** All proposals, in the order of their arrival */
  proposals: unknown[];
  decidedAt: string;
}
export interface Experiment {
  experimentId: string;
  name?: string;
  machineName: string;
  status: 'running' | 'completed' | 'stopped' | 'cancelled' | 'failed';
  /** The limit that stopped it */
  stoppedBy?: 'calls' | 'cost' | 'size';
  failure?: RunFailure;
  points: number;
  variants: ExperimentVariant[];
  samples: number;
  /** `recorded`, or a variant */
  baseline: string;
  margin: number;
  concurrency: number;
  maxCalls?: number;
  maxCostUSD?: number;
  startedAt: string;
  endedAt?: string;
  progress: ExperimentProgress;
  spent: ExperimentUsage;
  report: ExperimentReport;
}
export interface ExperimentVariant {
  name: string;
  specialistId: string;
  specialistVersion: number;
  specialistMachine: string;
  /** Members in place of the registration's, and prompts in place of the states' (`prompts`) */
  overrides: {};
}
export interface ExperimentProgress {
  done: number;
  total: number;
  failed: number;
}
export interface ExperimentUsage {
  /** Of models, functions and webhooks */
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Of the calls whose price is known */
  costUSD: number;
}
export interface ExperimentReport {
  variants: VariantReport[];
  pairs: PairReport[];
}
export interface VariantReport {
  name: string;
  /** The number of points that it answered */
  n: number;
  /** Asks without an answer, by their kind */
  failures: {};
  people: MatchShare;
  flips: FlipShare;
  /** Flips where the baseline agreed with the person who decided */
  negativeFlips: number;
  /** The share of pairs of samples of a point that agree */
  selfAgreement?: number;
  /** null if no price is known */
  costUSD: number | null;
  latencyMsec: LatencyQuantiles;
  byState: {};
}
export interface MatchShare {
  n: number;
  matches: number;
  /** From 0 to 1; 0 if there is none */
  share: number;
  /** Wilson's interval at 95 % */
  low: number;
  high: number;
}
export interface FlipShare {
  n: number;
  flips: number;
  /** From 0 to 1; 0 if there is none */
  share: number;
  /** Wilson's interval at 95 % */
  low: number;
  high: number;
}
export interface LatencyQuantiles {
  p50: number | null;
  p95: number | null;
}
export interface PairReport {
  /** The baseline */
  a: string;
  b: string;
  /** Points that both answered */
  n: number;
  /** Points where only the baseline agrees with the person who decided */
  onlyA: number;
  onlyB: number;
  /** McNemar's exact test on agreement with people */
  p: number;
  verdict: 'same' | 'different' | 'not-enough';
  /** The number of points that would suffice for `same` at this share of flips; absent above the margin */
  needed?: number;
}
export interface ExperimentAnswer {
  variant: string;
  sample: number;
  transitionName?: string;
  metaJson?: {};
  toState?: string;
  failure?: FailureView;
  /** Of its calls to models */
  callIds: string[];
  /** In US dollars */
  costUSD?: number;
  /** Milliseconds that it took */
  latencyMsec?: number;
  /** Tokens that were sent */
  numInputTokens?: number;
  /** Tokens that were received */
  numOutputTokens?: number;
}
export interface ExperimentEstimate {
  points: number;
  calls: number;
  tokens: EstimatedBand;
  /** null if a price is unknown */
  costUSD: EstimatedBand | null;
}
export interface ExperimentItem {
  sessionId: string;
  roundId: string;
  state: string;
  recorded: RecordedDecision;
  answers: ExperimentAnswer[];
  /** Absent until the variant and the baseline have an answer */
  flip?: 'none' | 'negative' | 'positive' | 'neutral';
}
export interface RecordedDecision {
  transitionName: string;
  /** A specialist, "default", "operator" or "timer" */
  decidedBy: string;
  isHuman: boolean;
}
export interface ExperimentSummary {
  experimentId: string;
  name?: string;
  machineName: string;
  status: 'running' | 'completed' | 'stopped' | 'cancelled' | 'failed';
  points: number;
  variants: string[];
  startedAt: string;
  /** Absent while it runs */
  endedAt?: string;
}
export interface FiredSignalView {
  signalId: string;
  phase: 'pre' | 'post';
  /** The model's, `code-only` or `unconditional` */
  reason: string;
  extracted?: {} | unknown[] | string | number | boolean | null;
  handlerError?: string;
}
export interface Gate {
  gateId: string;
  version: number;
  /** The version of the machine that has the gate's name */
  machineVersion: number;
  definition: GateDefinition;
}
export interface GateFailure {
  specialistId: string;
  failure: FailureView;
}
export interface GateResult {
  gateId: string;
  sessionId: string;
  roundId: string;
  /** The choice; absent before the decision */
  decision?: string;
  /** The metadata of the decision */
  metaJson?: {};
  /** The invocation waits for a person: no proposer or arbiter is left that could decide */
  needsHuman: boolean;
  /** Whether a person decided */
  isHuman: boolean;
  /** The reason of the decision; while the invocation waits for a person, the reason of the wait */
  reasoning: string;
  proposals: Proposal[];
  /** The asked proposers without a proposal */
  failures: GateFailure[];
  costUSD?: number;
  latencyMsec: number;
  numInputTokens?: number;
  numOutputTokens?: number;
}
export interface Proposal {
  /** In US dollars */
  costUSD?: number;
  /** Milliseconds that it took */
  latencyMsec?: number;
  /** Tokens that were sent */
  numInputTokens?: number;
  /** Tokens that were received */
  numOutputTokens?: number;
  proposalId: string;
  sessionId: string;
  roundId: string;
  specialistId: string;
  specialistVersion: number;
  isHuman: boolean;
  transitionName: string;
  toState: string;
  reasoning: string;
  metaJson?: {};
  solicitationId?: string;
  status: 'open' | 'won' | 'lost' | 'late';
  createdAt: string;
}
export interface GateSpecialist {
  specialistId: string;
  specialistVersion: number;
  enabled: boolean;
  /** From 0 to 1 */
  alignmentScore: number;
  totalComparisons: number;
}
export interface GateStatus {
  gateId: string;
  /** The newest 10 decisions were all made by models alone */
  collapsed: boolean;
  /** Share of 10 that models alone made of the newest 10 decisions, from 0 to 1 */
  collapseProgress: number;
  /** The enabled proposer with the highest alignment, if that is at least 0.8 */
  championSpecialistId?: string;
  invocationCount: number;
  exemplarCount: number;
  /** Share of the decisions that a person forced, from 0 to 1; 0 before there was any */
  humanOverrideRate: number;
  /** The price of its calls to models for one invocation, by currency; empty if no call has a price */
  meanCosts: Amount[];
  /** The proposers that are not people, in the current version */
  specialists: GateSpecialist[];
}
export interface HookAttempt {
  at: string;
  /** The HTTP status of the receiver */
  status?: number;
  /** Why it failed; absent if it succeeded */
  error?: string;
}
export interface HookDelivery {
  /** The `webhook-id` of its requests */
  deliveryId: string;
  type: string;
  status: 'pending' | 'delivered' | 'parked';
  /** Why a pending delivery is not made: the hook is disabled */
  reason?: 'hook-disabled';
  attempts: HookAttempt[];
}
export interface HookView {
  hookId: string;
  url: string;
  /** Some of session.created, session.needs_human, session.done, round.decided, task.opened, task.reminded, task.escalated, task.expired, task.answered, run.waiting, run.completed, run.failed, turn.completed, experiment.completed, reaction.parked, log.sealed */
  types: unknown[];
  /** Only events of this machine */
  machineName?: string;
  /** The variable that holds the secret of the signatures; absent: the secret is in the store of keys */
  secretName?: string;
  /** The random secret of a hook without `secretName`; in the answer to the call that registered it, and nowhere else */
  secret?: string;
  /** Its messages wait until it is enabled */
  disabled: boolean;
  /** The receiver answered 410, which disabled it */
  gone?: boolean;
}
export interface ImportedExemplars {
  imported: number;
}
export interface InboxItem {
  kind: 'decision';
  sessionId: string;
  machineName: string;
  roundId: string;
  currentState: string;
  /** The decision question; empty if the state has none */
  prompt: string;
  /** The transitions that can be chosen, by name */
  transitions: {};
  metaJson?: {};
  reason:
    | 'no-proposals'
    | 'no-arbiter'
    | 'no-consensus'
    | 'no-quorum'
    | 'arbiter-failed'
    | 'cannot-ask'
    | 'spot-check'
    | 'needs-person'
    | 'timer-limit';
  /** For people: the reason why no decision was reached */
  detail: string;
  /** The start of the wait */
  since: string;
  /** The open ones of the round, in the order they arrived */
  proposals: Proposal[];
  /** The enabled human specialists of the machine, in the order they were registered */
  people: string[];
  candidates?: NamedCandidates;
}
export interface NamedCandidates {
  people: string[];
  groups: string[];
}
export interface IterationView {
  index: number;
  /** The code as the model wrote it; absent until then */
  code?: string;
  /** `{ type, … }`: see `docs/code.md` */
  status: {};
  /** The variables at the end of the code, with those of earlier iterations; long ones as a preview */
  variables: {};
  /** Comments, logs, yields, writes of properties, and finished calls of tools; long members as a preview */
  traces: {} | unknown[] | string | number | boolean | null;
  llmCallId?: string;
  /** The model that replied, its tokens and its cost, over all attempts and models of the iteration */
  model?: string;
  tokens?: Tokens;
  costUSD?: number;
  /** The time from the reply to the end */
  durationMs: number;
}
export interface Latency {
  p50: number;
  p95: number;
  p99: number;
}
export interface ListedLlmCall {
  callId: string;
  /** null if no reply came */
  responseStatus: number | null;
  /** The body was cut, was too large, or could not be decoded: it has the received bytes, at most 1 MiB */
  responseIncomplete?: true;
  responseEncoding?: 'base64';
  durationMs: number | null;
  error: string | null;
  requestedAt: string;
  completedAt?: string;
  runId: string;
  /** The workflow of the run */
  workflow: string;
  sessionId?: string;
  solicitationId?: string;
  specialistId?: string;
  specialistVersion?: number;
  machineName?: string;
  /** The rung, in a solicitation */
  rung?: 'tools' | 'text' | 'reask' | 'structured';
  /** The round, in a run that works in rounds */
  round?: number;
  provider: string;
  /** Its name at the provider */
  model: string;
  /** Counted over all models of one question, backups included */
  attempt: number;
  resolvedModel?: string;
  /** Milliseconds until the first part of the message in a streamed reply */
  firstTokenMs?: number;
  outcome: 'toolCall' | 'decision' | 'noToolCall' | 'unreadable' | 'failed' | 'erased' | 'pending';
  usage?: Usage;
  tokens: Tokens;
  /** Absent if no price was in force, or if the usage is unknown */
  costUSD?: number;
  requestUrl?: string;
  requestHeaders?: {};
  requestBody?: {};
  responseBody?: string | null;
}
export interface Machine {
  machineName: string;
  version: number;
  /** SHA-256 of the definition */
  hash: string;
  definition: MachineDefinition;
}
export interface MachineAlignment {
  /** In the order of states, those of the whole machine first, then of specialist ids and versions */
  items: SpecialistAlignment[];
  /** The rule as text */
  rule: string;
  ruleVersion: number;
  /** The position of the last comparison in the log; absent before the first */
  position?: string;
}
export interface MachineProof {
  /** States that no session reaches */
  unreachable: string[];
  /** Reachable states other than the goal from which the goal is not reached */
  deadEnds: string[];
  /** States that the declared specialists cannot decide */
  undecidable: UndecidableState[];
  /** Loops that sessions can take without a person, at least one for each part with such loops; the last state of each leads to its first */
  loopsWithoutPeople: {
    [k: string]: unknown;
  };
  /** The machine's own properties come first */
  properties: ProvedProperty[];
}
export interface UndecidableState {
  state: string;
  why: string;
}
export interface ProvedProperty {
  /** The property as stated */
  property: {};
  holds: boolean;
  /** A shortest session that violates it; empty if the initial state does. Also absent once the counterexamples before it have 2,400 steps together */
  counterexample?: Step[];
}
export interface Step {
  from: string;
  transition: string;
  to: string;
}
export interface MachineReport {
  valid: boolean;
  errors: ProblemAt[];
  /** The number of all, if not all are listed */
  errorCount?: number;
  warnings: ProblemAt[];
  /** The number of all, if not all are listed */
  warningCount?: number;
}
export interface ModelCapability {
  provider: string;
  /** Its name at the provider */
  model: string;
  /** The member of the body of a request that the provider refused */
  member: string;
  /** The member that replaces it; absent if it is left out */
  instead?: string;
  /** The number of calls that observed it */
  calls: number;
  firstAt: string;
  /** The last refusal: runs that start within 7 days after it leave the member out */
  lastAt: string;
}
export interface ModelProvider {
  /** The first part of the models that are asked there: `<provider>/<model>` */
  provider: string;
  /** Without credentials */
  baseUrl: string;
  /** Whether this process has a key for it */
  hasKey: boolean;
  /** The provider of models that name none */
  default: boolean;
}
export interface ModelProviders {
  items: ModelProvider[];
}
export interface ModelSummary {
  provider: string;
  /** Its name at the provider */
  model: string;
  /** The UTC day; absent if all days are taken together */
  day?: string;
  calls: number;
  failedCalls: number;
  /** The share of answers with a tool call among those with tools on offer; null without such answers */
  toolCallRate: number | null;
  solicitations: number;
  /** Steps down the ladder in those solicitations */
  fallbacks: number;
  meanFallbackDepth: number;
  maxFallbackDepth: number;
  /** Tool calls whose arguments are not a JSON object */
  malformedArguments: number;
  /** Tool calls whose arguments do not fit the transition's parameters */
  invalidArguments: number;
  inputTokens: number;
  outputTokens: number;
  tokens: Tokens;
  /** The mean over the calls with an outcome; null without any */
  meanDurationMs: number | null;
  /** Percentiles of the same calls, in two significant digits; null without any */
  latencyMs: Latency | null;
  /** By currency; empty if no call has a price */
  costs: Amount[];
  /** Calls that have an outcome and no price */
  unpricedCalls: number;
}
export interface ParkedDelivery {
  deliveryId: string;
  /** The recorded type of the event, or the type of the message to a hook */
  type: string;
  /** The stream of the event, without the prefix of the log */
  stream: string;
  revision: number;
  parkedAt: string;
  attempts: DeliveryAttempt[];
}
export interface PersonToken {
  /** Given once, and stored only as a hash; the token before it ends */
  token: string;
}
export interface PersonView {
  personId: string;
  name?: string;
  role: 'viewer' | 'reviewer' | 'operator';
  /** @maxItems 100 */
  groups?: string[];
  createdAt: string;
}
export interface Principal {
  /** The person who acts; absent for an operator who is no person */
  personId?: string;
  role: 'viewer' | 'reviewer' | 'operator';
  /** Whether `actAs` may name the person for whom they act: on a server that asks for no token */
  mayActAs: boolean;
}
export interface ProjectionView {
  name: string;
  version: number;
  /** The position of the last event that it has folded; null before the first */
  position: string | null;
  /** The position of the log's last event; null while it is empty */
  headPosition: string | null;
  /** The number of missing events; null if positions have gaps */
  lag: number | null;
  status: 'live' | 'catching-up' | 'rebuilding' | 'stopped';
  /** The error that stops it; if it is not stopped, the first event at which rows stand still */
  error?: {};
}
export interface ProvedEvent {
  /** The stream, without the prefix of the log */
  stream: string;
  revision: number;
  /** The hash of the leaf, hex */
  hash: string;
  /** The number of the leaf in the tree */
  index: number;
  /** The siblings on the path to the root, the one beside the leaf first */
  path: string[];
}
export interface ReactionView {
  name: string;
  /** The position of the last event that it has read; null before the first */
  position: string | null;
  /** Events that are still to be delivered or read; null if positions have gaps */
  lag: number | null;
  /** Deliveries that failed in every attempt */
  parked: number;
  /** Why it stands still in this process */
  error?: string;
}
export interface RecordedEvaluation {
  specialistId: string;
  machineName: string;
  against: 'record';
  rounds: number;
  matchingChoices: number;
  transitionRate: number | null;
  stateRate: number | null;
  alignmentScore: number;
  totalCostUSD: number | null;
  meanLatencyMsec: number | null;
}
export interface RecordedEventView {
  eventId: string;
  type: string;
  schemaVersion: number;
  stream: string;
  /** The index in its stream; the first event has 0 */
  revision: number;
  /** The position in the whole log: opaque */
  position: string;
  occurredAt: string;
  data: {};
  metadata: {};
  /** The event as one line of plain language */
  summary: string;
  /** Members of `data` that are left out here, since they are large: see `maxDataBytes` */
  leftOut?: string[];
}
export interface RegisteredPerson {
  personId: string;
  name?: string;
  role: 'viewer' | 'reviewer' | 'operator';
  /** @maxItems 100 */
  groups?: string[];
  /** Given once, and stored only as a hash. Absent if the person was registered before */
  token?: string;
}
export interface RegisteredSpecialist {
  role: 'proposer' | 'arbiter';
  specialistId: string;
  machineName: string;
  version: number;
  isHuman: boolean;
  /** For a human: the person who acts as them. Absent: the person with the specialist's id */
  personId?: string;
  strategyFnName?: string;
  strategyWebhookUrl?: string;
  contextFnName?: string;
  contextTemplate?: string;
  contextWebhookUrl?: string;
  modelId?: string;
  askReasoning?: boolean;
  workflow?: ProposingWorkflow;
  modelParameters?: {
    temperature?: number | null;
    topP?: number;
    seed?: number;
    maxTokens?: number;
    maxTokensField?: 'max_tokens' | 'max_completion_tokens';
    reasoningEffort?: string;
    toolChoice?: string | {};
    parallelToolCalls?: boolean;
    stop?: string | string[];
    stream?: boolean;
    responseFormat?: 'json_schema';
    extraBody?: {};
  };
  backupModels?: string[];
  systemPrompt?: string;
  budget?: {
    maxTokens?: number;
    maxUSD?: number;
    per: 'call' | 'session' | 'day';
  };
  webhookTokenName?: string;
  threshold?: number;
  trust?: TrustOfArbiter;
  enabled: boolean;
  /** The token of the person registered with a human specialist, returned once and stored only as a hash */
  actorToken?: string;
  /** Warnings: the registration is legal, but probably not as meant, such as a misspelt name in a template */
  warnings?: ProblemAt[];
}
export interface ReplayReport {
  identical: boolean;
  streamsChecked: number;
  /** Events that were derived again */
  eventsChecked: number;
  /** Events from outside, taken as they are recorded */
  eventsTaken: number;
  /** Streams of erased subjects: only their structure was checked; absent if there are none */
  erased?: number;
  /** Histories that have not ended */
  open: number;
  divergences: Divergence[];
  sessionId: string;
}
export interface RunForkedFrom {
  runId: string;
  /** The last event that both have in common */
  revision: number;
  by: string;
  reason?: string;
}
export interface RunReplayReport {
  identical: boolean;
  streamsChecked: number;
  /** Events that were derived again */
  eventsChecked: number;
  /** Events from outside, taken as they are recorded */
  eventsTaken: number;
  /** Streams of erased subjects: only their structure was checked; absent if there are none */
  erased?: number;
  /** Histories that have not ended */
  open: number;
  divergences: Divergence[];
  runId: string;
  /** Outcomes of programs that were computed again and compared; they count as taken, too */
  recomputed: number;
  /** Outcomes of programs that were taken as they are recorded, because they are of another build, could not be computed here, or took too long */
  notRecomputed: number;
}
export interface RunSummary {
  runId: string;
  workflow: string;
  workflowVersion: number;
  /** `waiting`: an await is open, and no call is in flight */
  status: 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';
  failure?: RunFailure;
  awaiting: AwaitView[];
  /** The run that started this one */
  parent?: string;
  /** The name that its creator gave it */
  key?: string;
  /** Texts by name */
  tags?: {};
  /** The person or customer it is about: its content is encrypted in the log */
  subject?: string;
  /** Its subject was erased: texts read `[erased]`, other content is left out */
  erased?: boolean;
  forkedFrom?: RunForkedFrom;
  usage: RunUsage;
  createdAt: string;
  updatedAt: string;
  endedAt?: string;
  revision: number;
}
export interface RunView {
  runId: string;
  workflow: string;
  workflowVersion: number;
  /** `waiting`: an await is open, and no call is in flight */
  status: 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';
  failure?: RunFailure;
  awaiting: AwaitView[];
  /** The run that started this one */
  parent?: string;
  /** The name that its creator gave it */
  key?: string;
  /** Texts by name */
  tags?: {};
  /** The person or customer it is about: its content is encrypted in the log */
  subject?: string;
  /** Its subject was erased: texts read `[erased]`, other content is left out */
  erased?: boolean;
  forkedFrom?: RunForkedFrom;
  usage: RunUsage;
  createdAt: string;
  updatedAt: string;
  endedAt?: string;
  revision: number;
  /** Only the engine starts, signals, cancels and forks it */
  isInternal?: boolean;
  input: {} | unknown[] | string | number | boolean | null;
  result?: {} | unknown[] | string | number | boolean | null;
}
export interface SealProofView {
  seal: SealView;
  leaves: ProvedEvent[];
  /** Events after the seal */
  unsealed: UnsealedEvent[];
}
export interface SealView {
  /** 0, 1, … */
  index: number;
  /** All events of the tree */
  events: number;
  /** The root of the tree of RFC 6962, SHA-256, hex */
  root: string;
  /** The root of the seal before */
  previous: string | null;
  /** The roots over each 64 events, from the first block to which this seal adds one */
  subtrees: string[];
  /** The id of the log */
  log: string;
  sealedAt: string;
  /** The position of the seal in the log. It is not signed */
  position: string;
  /** SHA-256 of the public key in DER form (SPKI), hex */
  keyId?: string;
  /** Ed25519 over the canonical JSON (RFC 8785) of all other members but the position, base64 */
  signature?: string;
}
export interface UnsealedEvent {
  stream: string;
  revision: number;
}
export interface Session {
  sessionId: string;
  machineName: string;
  machineVersion?: number;
  machineHash: string;
  currentState: string;
  currentRoundId: string;
  /** `done`: at rest. `needs_human`: it waits for a person */
  status: 'open' | 'needs_human' | 'done' | 'closed';
  history: TransitionRecord[];
  metaJson?: {};
  /** The name that its creator gave it */
  key?: string;
  /** Texts by name */
  tags?: {};
  /** The person or customer it is about: its content is encrypted in the log */
  subject?: string;
  /** Its subject was erased: texts read `[erased]`, other content is left out */
  erased?: boolean;
  forkedFrom?: ForkedFrom;
  createdAt: string;
  updatedAt: string;
  /** The revision of the session's stream */
  revision: number;
  machine: MachineDefinition;
}
export interface SessionSummary {
  sessionId: string;
  machineName: string;
  machineVersion?: number;
  machineHash: string;
  currentState: string;
  currentRoundId: string;
  /** `done`: at rest. `needs_human`: it waits for a person */
  status: 'open' | 'needs_human' | 'done' | 'closed';
  history: TransitionRecord[];
  metaJson?: {};
  /** The name that its creator gave it */
  key?: string;
  /** Texts by name */
  tags?: {};
  /** The person or customer it is about: its content is encrypted in the log */
  subject?: string;
  /** Its subject was erased: texts read `[erased]`, other content is left out */
  erased?: boolean;
  forkedFrom?: ForkedFrom;
  createdAt: string;
  updatedAt: string;
  /** The revision of the session's stream */
  revision: number;
}
export interface SetAsideView {
  stream: string;
  /** The workflow of the run; `session` for a session that cannot continue */
  workflow: string;
  /** The error of the last attempt */
  failure: string;
  attempts: number;
  /** When the first attempt failed */
  since: string;
  /** The rules that this process lacks. Absent if it lacks none: then it tries again by itself */
  needs?: string;
  /** `resumed`: the retry has not failed */
  status: 'set-aside' | 'resumed' | 'given-up';
}
export interface SimulatedDecision {
  /** Absent: the round goes to people */
  transitionName?: string;
  decidedBy?: string;
  /** From 0 to 1, if the arbiter measures one */
  margin?: number;
  /** The reason why it goes to people; `not-asked`: the record lacks the answer of a specialist that would be asked */
  reason?: string;
  detail?: string;
}
export interface SimulatedItem {
  sessionId: string;
  roundId: string;
  /** The state in which it was decided */
  state: string;
  /** `toPeople`: decided without people, now by people; `fromPeople`: the other way round */
  outcome: 'same' | 'different' | 'toPeople' | 'fromPeople';
  recorded: RecordedDecision;
  simulated: SimulatedDecision;
}
export interface Simulation {
  /** The sum of the counts below */
  rounds: number;
  same: number;
  different: number;
  toPeople: number;
  fromPeople: number;
  /** Session by session, the oldest first; the rounds of a session in order */
  items: SimulatedItem[];
  /** The `cursor` of the next page; null on the last one */
  nextCursor: string | null;
  /** The number of streams that stand still: their rounds are missing, or old. Absent: none */
  standsStill?: number;
}
export interface Specialist {
  role: 'proposer' | 'arbiter';
  specialistId: string;
  machineName: string;
  version: number;
  isHuman: boolean;
  /** For a human: the person who acts as them. Absent: the person with the specialist's id */
  personId?: string;
  strategyFnName?: string;
  strategyWebhookUrl?: string;
  contextFnName?: string;
  contextTemplate?: string;
  contextWebhookUrl?: string;
  modelId?: string;
  askReasoning?: boolean;
  workflow?: ProposingWorkflow;
  modelParameters?: {
    temperature?: number | null;
    topP?: number;
    seed?: number;
    maxTokens?: number;
    maxTokensField?: 'max_tokens' | 'max_completion_tokens';
    reasoningEffort?: string;
    toolChoice?: string | {};
    parallelToolCalls?: boolean;
    stop?: string | string[];
    stream?: boolean;
    responseFormat?: 'json_schema';
    extraBody?: {};
  };
  backupModels?: string[];
  systemPrompt?: string;
  budget?: {
    maxTokens?: number;
    maxUSD?: number;
    per: 'call' | 'session' | 'day';
  };
  webhookTokenName?: string;
  threshold?: number;
  trust?: TrustOfArbiter;
  enabled: boolean;
}
export interface SpecialistVersion {
  role: 'proposer' | 'arbiter';
  specialistId: string;
  machineName: string;
  version: number;
  isHuman: boolean;
  /** For a human: the person who acts as them. Absent: the person with the specialist's id */
  personId?: string;
  strategyFnName?: string;
  strategyWebhookUrl?: string;
  contextFnName?: string;
  contextTemplate?: string;
  contextWebhookUrl?: string;
  modelId?: string;
  askReasoning?: boolean;
  workflow?: ProposingWorkflow;
  modelParameters?: {
    temperature?: number | null;
    topP?: number;
    seed?: number;
    maxTokens?: number;
    maxTokensField?: 'max_tokens' | 'max_completion_tokens';
    reasoningEffort?: string;
    toolChoice?: string | {};
    parallelToolCalls?: boolean;
    stop?: string | string[];
    stream?: boolean;
    responseFormat?: 'json_schema';
    extraBody?: {};
  };
  backupModels?: string[];
  systemPrompt?: string;
  budget?: {
    maxTokens?: number;
    maxUSD?: number;
    per: 'call' | 'session' | 'day';
  };
  webhookTokenName?: string;
  threshold?: number;
  trust?: TrustOfArbiter;
  enabled: boolean;
  /** It is the current version */
  current: boolean;
  registeredAt: string;
}
export interface SpecialistWithAlignment {
  role: 'proposer' | 'arbiter';
  specialistId: string;
  machineName: string;
  version: number;
  isHuman: boolean;
  /** For a human: the person who acts as them. Absent: the person with the specialist's id */
  personId?: string;
  strategyFnName?: string;
  strategyWebhookUrl?: string;
  contextFnName?: string;
  contextTemplate?: string;
  contextWebhookUrl?: string;
  modelId?: string;
  askReasoning?: boolean;
  workflow?: ProposingWorkflow;
  modelParameters?: {
    temperature?: number | null;
    topP?: number;
    seed?: number;
    maxTokens?: number;
    maxTokensField?: 'max_tokens' | 'max_completion_tokens';
    reasoningEffort?: string;
    toolChoice?: string | {};
    parallelToolCalls?: boolean;
    stop?: string | string[];
    stream?: boolean;
    responseFormat?: 'json_schema';
    extraBody?: {};
  };
  backupModels?: string[];
  systemPrompt?: string;
  budget?: {
    maxTokens?: number;
    maxUSD?: number;
    per: 'call' | 'session' | 'day';
  };
  webhookTokenName?: string;
  threshold?: number;
  trust?: TrustOfArbiter;
  enabled: boolean;
  /** The choices of this version equal to decisions of people */
  alignment: AlignmentOfSpecialist[];
}
export interface Subject {
  subject: string;
  /** Their ids, oldest first */
  sessions: string[];
  /** Those that were started with it; not those that sessions, runs and turns asked for */
  runs: string[];
  conversations: string[];
  /** Exports of its content before it was erased, oldest first */
  exports: HoldingExport[];
  erasedAt?: string;
}
export interface Tick {
  sessionId: string;
  machineName: string;
  /** `failed`: the asked proposer gave no proposal */
  status: 'solicited' | 'advanced' | 'needs_human' | 'failed';
  currentState: string;
  specialistId?: string;
  previousState?: string;
  transitionName?: string;
  reasoning?: string;
  failure?: TickFailure;
}
export interface TickFailure {
  kind: string;
  message: string;
}
export interface ToolCallError {
  kind: string;
  message: string;
}
export interface ToolCallView {
  /** Unique within the run, and the same for every attempt */
  callId: string;
  runId: string;
  toolId: string;
  /** Absent for an unknown tool */
  toolVersion?: number;
  /** The executed arguments; absent if the text holds none */
  arguments?: {};
  /** The arguments as the model wrote them */
  argumentsText: string;
  result?: {} | unknown[] | string | number | boolean | null;
  error?: ToolCallError;
  approvedBy?: string;
  status: 'pending' | 'awaiting-approval' | 'completed' | 'failed' | 'refused';
  /** The duration of the last attempt, in milliseconds */
  durationMs: number;
  requestedAt: string;
  completedAt?: string;
}
export interface ToolView {
  toolId: string;
  version: number;
  description: string;
  /** JSON Schema of the arguments */
  parameters: {};
  /** JSON Schema of the result */
  result?: {};
  execution:
    | {
        webhookUrl: string;
        webhookTokenName?: string;
      }
    | {
        fnName: string;
      }
    | {
        mcpServer: string;
        tool: string;
      };
  policy: {
    /** A call changes nothing */
    readOnly?: boolean;
    /** Two calls with the same callId have the effect of one */
    idempotent?: boolean;
    /** A call removes or overwrites data */
    destructive?: boolean;
    /** True if people allow each call; or the calls that people allow, and the people */
    needsApproval?: boolean;
    /** Calls may run at the same time as their neighbours */
    concurrencySafe?: boolean;
    /** Milliseconds for one call */
    timeoutMs?: number;
    /** The most calls */
    maxAttempts?: number;
    /** The most characters of a result that a model gets */
    maxResultChars?: number;
  };
  /** The members of a conversation that the webhook gets besides the arguments */
  sends?: ('data' | 'context' | 'history' | 'conversationId')[];
  createdAt: string;
}
export interface TranscriptItemView {
  role: 'user' | 'assistant' | 'event' | 'summary';
  /** The whole text; of a message of the code, without its components */
  text: string;
  /** Absent for messages from before the run */
  at?: string;
  /** The component of a message that the code sent */
  messageId?: string;
  component?: string;
  props?: {};
  /** Texts and elements: `{ component, props, children }` */
  children?: {} | unknown[] | string | number | boolean | null;
  /** The citations in its texts: `{ path, id, offset, tag }` */
  citations?: {} | unknown[] | string | number | boolean | null;
}
export interface TurnFailureView {
  kind: string;
  message: string;
  /** The HTTP status with which a provider refused a call */
  upstreamStatus?: number;
}
export interface TurnView {
  turnId: string;
  status: 'running' | 'waiting' | 'completed' | 'failed';
  /** The question that a person has to answer before the turn continues */
  awaiting?: AwaitView[];
  /** The user's message */
  text: string;
  /** The agent's message */
  message: string;
  stoppedReason?:
    | 'needs_input'
    | 'last_step'
    | 'completed'
    | 'aborted'
    | 'halt'
    | 'reply'
    | 'validation_error';
  /** A flow was completed in this turn */
  isFlowComplete: boolean;
  failure?: TurnFailureView;
  executedSteps: ExecutedStep[];
  toolCalls: CalledToolView[];
  appliedInstructions: AppliedInstructionView[];
  triggeredSignals: FiredSignalView[];
  directiveChain: ChainLinkView[];
  /** By name: `{ from?, to? }` */
  dataChanges: {};
  /** The router's answer by the `routingExtrasSchema` of the flow */
  routingExtras?: {} | unknown[] | string | number | boolean | null;
  /** The model's answer by the `responseOutputSchema` of the flow, without its message */
  output?: {} | unknown[] | string | number | boolean | null;
  usage: RunUsage;
  /** Ids of its calls of models, in order */
  llmCalls: string[];
  requestedAt: string;
  endedAt?: string;
}
export interface WebhookCall {
  callId: string;
  /** null if no reply came */
  responseStatus: number | null;
  /** The body was cut, was too large, or could not be decoded: it has the received bytes, at most 1 MiB */
  responseIncomplete?: true;
  responseEncoding?: 'base64';
  durationMs: number | null;
  error: string | null;
  requestedAt: string;
  completedAt?: string;
  requestBody: {};
  responseBody: string | null;
  sessionId: string;
  specialistId: string;
  machineName: string;
  /** The id of the solicitation or the arbitration */
  workflowId: string;
  purpose: 'strategy' | 'context' | 'verdict';
  attempt: number;
  url: string;
  outcome: 'pending' | 'completed' | 'failed';
}
export interface Why {
  /** The event itself, then its causes in the order of the log */
  nodes: WhyNode[];
  edges: WhyEdge[];
  /** The number of references to farther causes that are left out. Absent: none */
  leftOff?: number;
}
export interface WhyNode {
  /** `<stream>@<revision>` */
  id: string;
  stream: string;
  revision: number;
  type: string;
  occurredAt: string;
  /** The event as one line of plain language */
  summary: string;
}
export interface WhyEdge {
  /** The id of an event */
  from: string;
  /** The id of a cause of it */
  to: string;
  /** The relation of the cause to the event */
  relation:
    | 'request'
    | 'end'
    | 'asked'
    | 'proposal'
    | 'weighed'
    | 'decision'
    | 'round'
    | 'before'
    | 'cause'
    | 'start';
}

/** A method for each operation of a Redial server. */

export interface ClientMethods {
  /** Define a machine, or its next version, and register the specialists it declares. */
  defineMachine(input: DefineMachineInput, options?: ClientCallOptions): Promise<DefinedMachine>;

  /** A machine in one of its versions. */
  getMachine(input: GetMachineInput, options?: ClientCallOptions): Promise<Machine>;

  /** A machine as a Mermaid state diagram. */
  getMachineDiagram(input: GetMachineDiagramInput, options?: ClientCallOptions): Promise<string>;

  /** The current version of each machine, by name. */
  listMachines(
    input?: ListMachinesInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly Machine[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Check a machine without defining it. */
  validateMachine(input: ValidateMachineInput, options?: ClientCallOptions): Promise<MachineReport>;

  /** Check properties of all sessions of a machine without running it. */
  proveMachine(input?: ProveMachineInput, options?: ClientCallOptions): Promise<MachineProof>;

  /** Disable a specialist, in all its versions. */
  disableSpecialist(input: DisableSpecialistInput, options?: ClientCallOptions): Promise<Specialist>;

  /** Enable a specialist again, in all its versions. */
  enableSpecialist(input: EnableSpecialistInput, options?: ClientCallOptions): Promise<Specialist>;

  /** Register a proposer or an arbiter, or its next version, with one of the execution modes. */
  registerSpecialist(
    input: RegisterSpecialistInput,
    options?: ClientCallOptions,
  ): Promise<RegisteredSpecialist>;

  /** A version of a specialist, with its alignment: its choices equal to decisions of people. */
  getSpecialist(input: GetSpecialistInput, options?: ClientCallOptions): Promise<SpecialistWithAlignment>;

  /** Every version of a specialist, the oldest first. */
  listSpecialistVersions(
    input: ListSpecialistVersionsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly SpecialistVersion[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The specialists in their current versions, by id. */
  listSpecialists(
    input?: ListSpecialistsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly Specialist[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Create a gate, or its next version, and register the specialists it declares. */
  createGate(input: CreateGateInput, options?: ClientCallOptions): Promise<CreatedGate>;

  /** Delete a gate: it can no longer be listed or invoked; its decisions stay. */
  deleteGate(input: DeleteGateInput, options?: ClientCallOptions): Promise<Gate>;

  /** A gate in its current version. */
  getGate(input: GetGateInput, options?: ClientCallOptions): Promise<Gate>;

  /** A gate's progress towards deciding without people: collapse, champion, alignment, costs. */
  getGateStatus(input: GetGateStatusInput, options?: ClientCallOptions): Promise<GateStatus>;

  /** The result of an invocation so far, also of a deleted gate. */
  getInvocation(input: GetInvocationInput, options?: ClientCallOptions): Promise<GateResult>;

  /** Invoke a gate: its proposers are asked at the same time, then its arbiter decides. */
  invokeGate(input: InvokeGateInput, options?: ClientCallOptions): Promise<GateResult>;

  /** Gates, by id. */
  listGates(
    input?: ListGatesInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly Gate[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Ask a specialist again about past rounds of its states, and compare its choices with the decisions; no session changes. */
  evaluateSpecialist(
    input: EvaluateSpecialistInput,
    options?: ClientCallOptions,
  ): Promise<Evaluation | RecordedEvaluation>;

  /** An evaluation: its status, samples and results so far. */
  getEvaluation(input: GetEvaluationInput, options?: ClientCallOptions): Promise<Evaluation>;

  /** The evaluations that asked a specialist, newest first, without their samples. */
  listEvaluations(
    input: ListEvaluationsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly EvaluationSummary[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Derive every derived event of an evaluation again, and compare; no event is written. */
  replayEvaluation(
    input: ReplayEvaluationInput,
    options?: ClientCallOptions,
  ): Promise<EvaluationReplayReport>;

  /** End an experiment: open calls are given up, and no further call is made. */
  cancelExperiment(input: CancelExperimentInput, options?: ClientCallOptions): Promise<Experiment>;

  /** An experiment: its progress, its spending, and the report on the answers so far. */
  getExperiment(input: GetExperimentInput, options?: ClientCallOptions): Promise<Experiment>;

  /** The points of an experiment, with the decision and each answer. */
  listExperimentItems(
    input: ListExperimentItemsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly ExperimentItem[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Experiments, newest first. */
  listExperiments(
    input?: ListExperimentsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly ExperimentSummary[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Resume an experiment that its limits stopped. */
  resumeExperiment(input: ResumeExperimentInput, options?: ClientCallOptions): Promise<Experiment>;

  /** Ask variants of specialists again about decided rounds, and compare with the decisions; no session changes. */
  startExperiment(
    input: StartExperimentInput,
    options?: ClientCallOptions,
  ): Promise<ExperimentEstimate | Experiment>;

  /** A conversation with its turns and tasks, as a history file. */
  getConversationHistory(input: GetConversationHistoryInput, options?: ClientCallOptions): Promise<string>;

  /** A run with the runs and tasks below it, as a history file. */
  getRunHistory(input: GetRunHistoryInput, options?: ClientCallOptions): Promise<string>;

  /** A session with its runs and tasks, as a history file. */
  getSessionHistory(input: GetSessionHistoryInput, options?: ClientCallOptions): Promise<string>;

  /** Fork a session of another log at a past revision, as a new session of this log: the lines after the first are the history file. */
  forkHistory(input: ForkHistoryInput, options?: ClientCallOptions): Promise<Session>;

  /** The path from each event of a conversation, its turns and tasks to the root of the last seal. */
  getConversationProof(input: GetConversationProofInput, options?: ClientCallOptions): Promise<SealProofView>;

  /** The path from each event of a run, and of the runs and tasks below it, to the root of the last seal. */
  getRunProof(input: GetRunProofInput, options?: ClientCallOptions): Promise<SealProofView>;

  /** The path from each event of a session, its runs and tasks to the root of the last seal. */
  getSessionProof(input: GetSessionProofInput, options?: ClientCallOptions): Promise<SealProofView>;

  /** The last seal of the log. */
  getLatestSeal(input?: GetLatestSealInput, options?: ClientCallOptions): Promise<SealView>;

  /** The seals of the log, newest first. */
  listSeals(
    input?: ListSealsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly SealView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Seal the events since the last seal. */
  sealLog(input?: SealLogInput, options?: ClientCallOptions): Promise<SealView>;

  /** Erase a subject: its key is destroyed, and its content cannot be recovered. */
  eraseSubject(input: EraseSubjectInput, options?: ClientCallOptions): Promise<ErasedSubject>;

  /** The sessions, runs and conversations that are about a subject. */
  getSubject(input: GetSubjectInput, options?: ClientCallOptions): Promise<Subject>;

  /** Drop a parked event: it is not delivered any more. */
  dropDelivery(input: DropDeliveryInput, options?: ClientCallOptions): Promise<ReactionView>;

  /** The parked deliveries of a reaction, the first parked first. */
  listParkedDeliveries(
    input: ListParkedDeliveriesInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly ParkedDelivery[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The reactions of the log, and the place that each has reached. */
  listReactions(
    input?: ListReactionsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly ReactionView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Deliver a parked event again. */
  retryDelivery(input: RetryDeliveryInput, options?: ClientCallOptions): Promise<ReactionView>;

  /** Delete a hook with its waiting deliveries. */
  deleteHook(input: DeleteHookInput, options?: ClientCallOptions): Promise<null>;

  /** A hook. */
  getHook(input: GetHookInput, options?: ClientCallOptions): Promise<HookView>;

  /** The deliveries of a hook, the newest first: those that wait or are parked, and the last thousand that were made. */
  listHookDeliveries(
    input: ListHookDeliveriesInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly HookDelivery[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The hooks, by id. */
  listHooks(
    input?: ListHooksInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly HookView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Register a hook, an address that gets messages about events; the same id again changes it. */
  registerHook(input: RegisterHookInput, options?: ClientCallOptions): Promise<HookView>;

  /** Make a parked delivery of a hook again. */
  retryHookDelivery(input: RetryHookDeliveryInput, options?: ClientCallOptions): Promise<HookDelivery>;

  /** Call a hook now with a message of the type `hook.test`. */
  testHook(input: TestHookInput, options?: ClientCallOptions): Promise<HookAttempt>;

  /** The events of the whole log, oldest first: with their content for operators, without it for viewers. */
  listEvents(
    input?: ListEventsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly (RecordedEventView | EventNotice)[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Decisions of people as a file to train models with; the export is recorded before it is sent. */
  exportContent(input: ExportContentInput, options?: ClientCallOptions): Promise<string>;

  /** All rows of a dataset, as CSV or as JSON lines, as they are read. */
  exportDataset(input: ExportDatasetInput, options?: ClientCallOptions): Promise<string>;

  /** Two sessions, decided round by decided round; ids and times are not compared. */
  diffSessions(input: DiffSessionsInput, options?: ClientCallOptions): Promise<Diff>;

  /** The events that led to a turn of a conversation: calls, turns before, and the start. */
  whyConversation(input: WhyConversationInput, options?: ClientCallOptions): Promise<Why>;

  /** The events that led to the end of a run: calls, signals, and the start. */
  whyRun(input: WhyRunInput, options?: ClientCallOptions): Promise<Why>;

  /** The events that led to a decision of a session: proposals, calls, and the creation. */
  whySession(input: WhySessionInput, options?: ClientCallOptions): Promise<Why>;

  /** Decide recorded rounds again under other settings, with the recorded proposals and alignment; no model is asked, and nothing is written. */
  simulateMachine(input: SimulateMachineInput, options?: ClientCallOptions): Promise<Simulation>;

  /** Send the recorded request of a call again, to the same model or another one; the session or run of the call does not change. */
  tryCall(input: TryCallInput, options?: ClientCallOptions): Promise<CallTry>;

  /** The decisions of each UTC day by author, the newest day first; at most 10,000 lines. */
  getDecisionDays(
    input?: GetDecisionDaysInput,
    options?: ClientCallOptions,
  ): Promise<{ readonly items: readonly DecisionDay[] }>;

  /** The agreement of a machine's proposers with people; sessions use the default rule. */
  getAlignment(input: GetAlignmentInput, options?: ClientCallOptions): Promise<MachineAlignment>;

  /** A machine's progress towards deciding without people, with signals to watch. */
  getCollapseMetrics(input: GetCollapseMetricsInput, options?: ClientCallOptions): Promise<CollapseMetrics>;

  /** The decisions, newest first: how each was reached, its decider, and all proposals. */
  getDecisionLog(
    input: GetDecisionLogInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly Decision[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The sessions that wait for a decision of a person, and the runs that wait for an approval or an answer, oldest first. */
  getInbox(
    input?: GetInboxInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly (InboxItem | AwaitedItem)[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Statistics of each model: calls, tool calls, fallbacks, bad arguments, failures, tokens, cost, latency. */
  getModelStatistics(
    input?: GetModelStatisticsInput,
    options?: ClientCallOptions,
  ): Promise<{ readonly items: readonly ModelSummary[] }>;

  /** The decisions of people, newest first: examples to learn from. */
  listExemplars(
    input: ListExemplarsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly Exemplar[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Members of requests that the provider of a model refused. */
  listModelCapabilities(
    input?: ListModelCapabilitiesInput,
    options?: ClientCallOptions,
  ): Promise<{ readonly items: readonly ModelCapability[] }>;

  /** Import decisions that people took elsewhere: examples, and comparisons for the alignment of proposers. */
  importExemplars(input: ImportExemplarsInput, options?: ClientCallOptions): Promise<ImportedExemplars>;

  /** The position of each projection, and the error that stops it. */
  listProjections(
    input?: ListProjectionsInput,
    options?: ClientCallOptions,
  ): Promise<{ readonly items: readonly ProjectionView[] }>;

  /** Start a session of a defined machine, or of a machine in the request. */
  createSession(input?: CreateSessionInput, options?: ClientCallOptions): Promise<CreatedSession>;

  /** Execute a transition: an operator's call, without proposals or arbiter. */
  executeTransition(input: ExecuteTransitionInput, options?: ClientCallOptions): Promise<Session>;

  /** Step until the session is at rest or needs a person. */
  runSession(input: RunSessionInput, options?: ClientCallOptions): Promise<Session>;

  /** One step of a session: a proposer is asked, the round is decided, or a person is needed; null when it is at rest. */
  tickSession(input: TickSessionInput, options?: ClientCallOptions): Promise<Tick | null>;

  /** The arbiter's verdict on the current round; nothing is written. */
  evaluateConsensus(input: EvaluateConsensusInput, options?: ClientCallOptions): Promise<Consensus>;

  /** The current session: state, round, status, history, machine. */
  getSession(input: GetSessionInput, options?: ClientCallOptions): Promise<Session>;

  /** The session after a revision of its stream. */
  getSessionAt(input: GetSessionAtInput, options?: ClientCallOptions): Promise<Session>;

  /** The proposals of a session, or of one round of it, in the order they arrived. */
  listProposals(
    input: ListProposalsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly Proposal[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The events of a session, its solicitations and its arbitrations, in log order. */
  listSessionEvents(
    input: ListSessionEventsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly RecordedEventView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The sessions, newest first, without their machines. */
  listSessions(
    input?: ListSessionsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly SessionSummary[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Derive every derived event of a session again from its log, and compare; no event is written. */
  replaySession(input: ReplaySessionInput, options?: ClientCallOptions): Promise<ReplayReport>;

  /** End a session before it is done: no round of it is decided any more. */
  closeSession(input: CloseSessionInput, options?: ClientCallOptions): Promise<Session>;

  /** Have the arbiter of the round decide on its proposals; or, with a transition, force it as the person who decides. */
  submitArbitration(input: SubmitArbitrationInput, options?: ClientCallOptions): Promise<Arbitration>;

  /** Propose a transition for a specialist; without one the specialist is asked, and its model called. */
  submitProposal(input: SubmitProposalInput, options?: ClientCallOptions): Promise<Proposal>;

  /** One step of every session that is not at rest. */
  tickAll(input?: TickAllInput, options?: ClientCallOptions): Promise<readonly Tick[]>;

  /** Fork a session at a past revision, as a new session: recorded outcomes are used, and not asked for again. */
  forkSession(input: ForkSessionInput, options?: ClientCallOptions): Promise<Session>;

  /** One call to a model: its messages, tools, reply and usage, and the conclusion from the reply. */
  getLlmCall(input: GetLlmCallInput, options?: ClientCallOptions): Promise<ConcludedLlmCall>;

  /** Calls to models, newest first; `include=bodies` adds the whole requests and replies. */
  listLlmCalls(
    input?: ListLlmCallsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly ListedLlmCall[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The calls to models of a run, without those of its children, oldest first. */
  listLlmCallsOfRun(
    input: ListLlmCallsOfRunInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly LlmCall[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The calls to models of a session, oldest first. */
  listLlmCallsOfSession(
    input: ListLlmCallsOfSessionInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly LlmCall[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The calls of webhooks in a session, of proposers and of arbiters, oldest first. */
  listWebhookCallsOfSession(
    input: ListWebhookCallsOfSessionInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly WebhookCall[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The providers of models that this process is configured for. */
  listProviders(input?: ListProvidersInput, options?: ClientCallOptions): Promise<ModelProviders>;

  /** Delete a person: their token ends, the specialists that name them stay and cannot act. */
  deletePerson(input: DeletePersonInput, options?: ClientCallOptions): Promise<null>;

  /** A person. */
  getPerson(input: GetPersonInput, options?: ClientCallOptions): Promise<PersonView>;

  /** The caller: the person who acts, and their rights. */
  getPrincipal(input?: GetPrincipalInput, options?: ClientCallOptions): Promise<Principal>;

  /** The people, by id. */
  listPeople(
    input?: ListPeopleInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly PersonView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Register a person; the answer has their token. */
  registerPerson(input: RegisterPersonInput, options?: ClientCallOptions): Promise<RegisteredPerson>;

  /** Put a person into these groups, and out of all others. */
  replacePersonGroups(input: ReplacePersonGroupsInput, options?: ClientCallOptions): Promise<PersonView>;

  /** Give a person a new token; the previous one ends. */
  replacePersonToken(input: ReplacePersonTokenInput, options?: ClientCallOptions): Promise<PersonToken>;

  /** Assign a task to a person, who alone can then answer it, or to nobody. */
  assignTask(input: AssignTaskInput, options?: ClientCallOptions): Promise<Task>;

  /** Claim a task for a while: no other person can answer it. */
  claimTask(input: ClaimTaskInput, options?: ClientCallOptions): Promise<Task>;

  /** Comment on a task that has not ended. */
  commentTask(input: CommentTaskInput, options?: ClientCallOptions): Promise<Task>;

  /** The numbers of tasks: open, claimed, overdue, of the caller, and those that the caller may claim. */
  countTasks(input?: CountTasksInput, options?: ClientCallOptions): Promise<Counts>;

  /** A task, with everything that an answer needs. */
  getTask(input: GetTaskInput, options?: ClientCallOptions): Promise<Task>;

  /** The events of a task without its answer, oldest first: claims, assignments, comments, due times. */
  listTaskEvents(
    input: ListTaskEventsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly RecordedEventView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Tasks: decisions, approvals and questions that wait for people. */
  listTasks(
    input?: ListTasksInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly Task[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** End the claim of a task: the person who has it, or an operator. */
  releaseTask(input: ReleaseTaskInput, options?: ClientCallOptions): Promise<Task>;

  /** Set when a task is due, and when it expires. One without times gets a clock. */
  extendTask(input: ExtendTaskInput, options?: ClientCallOptions): Promise<Task>;

  /** Answer a task as a person, by one of its choices. */
  answerTask(input: AnswerTaskInput, options?: ClientCallOptions): Promise<AnsweredTask>;

  /** Give up an item that recovery set aside: it is recorded as failed. */
  giveUpRecovery(input: GiveUpRecoveryInput, options?: ClientCallOptions): Promise<SetAsideView>;

  /** The work that recovery set aside: it failed in this process, or no process continues it. */
  listRecovery(
    input?: ListRecoveryInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly SetAsideView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Retry an item that recovery set aside. */
  retryRecovery(input: RetryRecoveryInput, options?: ClientCallOptions): Promise<SetAsideView>;

  /** Ask a run to end: its calls are aborted, its other open steps are cancelled. */
  cancelRun(input: CancelRunInput, options?: ClientCallOptions): Promise<RunView>;

  /** A run: its status, its open awaits, its result. */
  getRun(input: GetRunInput, options?: ClientCallOptions): Promise<RunView>;

  /** Runs of all workflows, newest first. */
  listRuns(
    input?: ListRunsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly RunSummary[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Send a signal that a run waits for. */
  signalRun(input: SignalRunInput, options?: ClientCallOptions): Promise<RunView>;

  /** Start a run of a workflow. */
  startRun(input: StartRunInput, options?: ClientCallOptions): Promise<RunView>;

  /** The events of a run, in order. */
  listRunEvents(
    input: ListRunEventsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly RecordedEventView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The calls of tools in a run, in the order of their requests. */
  listToolCalls(
    input: ListToolCallsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly ToolCallView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Derive a run again from its record, and compare event by event. */
  replayRun(input: ReplayRunInput, options?: ClientCallOptions): Promise<RunReplayReport>;

  /** Continue from a past revision of a run, in a new run: recorded outcomes are used, and their calls are not made again. */
  forkRun(input: ForkRunInput, options?: ClientCallOptions): Promise<RunView>;

  /** The programs of a run of code, with their ends, traces and variables. */
  listIterations(
    input: ListIterationsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly IterationView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The conversation of a run of code, in order. */
  getTranscript(
    input: GetTranscriptInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly TranscriptItemView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** A tool. */
  getTool(input: GetToolInput, options?: ClientCallOptions): Promise<ToolView>;

  /** The versions of a tool, newest first. */
  listToolVersions(
    input: ListToolVersionsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly ToolView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The tools, by id, each in its newest version. */
  listTools(
    input?: ListToolsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly ToolView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Register a tool, or its next version if it has changed. */
  registerTool(input: RegisterToolInput, options?: ClientCallOptions): Promise<ToolView>;

  /** Define an agent, or its next version if it has changed. */
  defineAgent(input: DefineAgentInput, options?: ClientCallOptions): Promise<DefinedAgent>;

  /** An agent in one of its versions. */
  getAgent(input: GetAgentInput, options?: ClientCallOptions): Promise<AgentView>;

  /** The flows of an agent as a Mermaid flowchart. */
  getAgentDiagram(input: GetAgentDiagramInput, options?: ClientCallOptions): Promise<string>;

  /** The current version of each agent, by name. */
  listAgents(
    input?: ListAgentsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly AgentView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Check an agent without defining it. */
  validateAgent(input: ValidateAgentInput, options?: ClientCallOptions): Promise<AgentReport>;

  /** A conversation: its data, current flow and step, and history. */
  getConversation(input: GetConversationInput, options?: ClientCallOptions): Promise<ConversationView>;

  /** The conversation after one of its events. */
  getConversationAt(input: GetConversationAtInput, options?: ClientCallOptions): Promise<ConversationView>;

  /** The events of a conversation and of its turns, in log order. */
  listConversationEvents(
    input: ListConversationEventsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly RecordedEventView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Conversations, newest first. */
  listConversations(
    input?: ListConversationsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly ConversationSummary[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Derive a conversation and its turns again from their events, and compare; nothing is written. */
  replayConversation(
    input: ReplayConversationInput,
    options?: ClientCallOptions,
  ): Promise<ConversationReplayReport>;

  /** Start a conversation with an agent. */
  startConversation(input: StartConversationInput, options?: ClientCallOptions): Promise<ConversationView>;

  /** Fork a conversation after a past turn, as a new conversation: recorded turns are not taken again. */
  forkConversation(input: ForkConversationInput, options?: ClientCallOptions): Promise<ConversationView>;

  /** The calls to models of the turns of a conversation, oldest first. */
  listLlmCallsOfConversation(
    input: ListLlmCallsOfConversationInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly LlmCall[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** The calls of tools in the turns of a conversation, oldest first. */
  listToolCallsOfConversation(
    input: ListToolCallsOfConversationInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly ToolCallView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Cancel the open turn: its calls are aborted, and the conversation is unchanged. */
  cancelTurn(input: CancelTurnInput, options?: ClientCallOptions): Promise<TurnView>;

  /** Set the directive that the next turn applies first. */
  dispatchDirective(input: DispatchDirectiveInput, options?: ClientCallOptions): Promise<ConversationView>;

  /** The turns of a conversation, oldest first. */
  listTurns(
    input: ListTurnsInput,
    options?: ClientCallOptions,
  ): Promise<{
    readonly items: readonly TurnView[];
    readonly nextCursor: string | null;
    readonly standsStill?: number;
  }>;

  /** Send a message to an agent, and get its answer. */
  sendMessage(input: SendMessageInput, options?: ClientCallOptions): Promise<TurnView>;

  /** Send a signal to a waiting turn, such as an approval. */
  signalTurn(input: SignalTurnInput, options?: ClientCallOptions): Promise<TurnView>;
}

/** How HTTP carries each operation. */

export const ROUTES: { readonly [Id in keyof ClientMethods]: Route } = {
  defineMachine: { method: 'POST', path: '/v1/machines', whole: 'machine' },
  getMachine: { method: 'GET', path: '/v1/machines/:machineName' },
  getMachineDiagram: { method: 'GET', path: '/v1/machines/:machineName/diagram' },
  listMachines: { method: 'GET', path: '/v1/machines' },
  validateMachine: { method: 'POST', path: '/v1/machines/validate', whole: 'machine' },
  proveMachine: { method: 'POST', path: '/v1/machines/prove' },
  disableSpecialist: {
    method: 'POST',
    path: '/v1/specialists/:specialistId/disable',
    query: { machineName: 'machineName' },
  },
  enableSpecialist: {
    method: 'POST',
    path: '/v1/specialists/:specialistId/enable',
    query: { machineName: 'machineName' },
  },
  registerSpecialist: { method: 'POST', path: '/v1/specialists' },
  getSpecialist: { method: 'GET', path: '/v1/specialists/:specialistId' },
  listSpecialistVersions: { method: 'GET', path: '/v1/specialists/:specialistId/versions' },
  listSpecialists: { method: 'GET', path: '/v1/specialists' },
  createGate: { method: 'POST', path: '/v1/gates', whole: 'gate' },
  deleteGate: { method: 'DELETE', path: '/v1/gates/:gateId' },
  getGate: { method: 'GET', path: '/v1/gates/:gateId' },
  getGateStatus: { method: 'GET', path: '/v1/gates/:gateId/status' },
  getInvocation: { method: 'GET', path: '/v1/gates/:gateId/invocations/:sessionId' },
  invokeGate: { method: 'POST', path: '/v1/gates/:gateId/invocations' },
  listGates: { method: 'GET', path: '/v1/gates' },
  evaluateSpecialist: {
    method: 'POST',
    path: '/v1/specialists/:specialistId/evaluations',
    query: { machineName: 'specialistMachine' },
  },
  getEvaluation: { method: 'GET', path: '/v1/evaluations/:evaluationId' },
  listEvaluations: { method: 'GET', path: '/v1/specialists/:specialistId/evaluations' },
  replayEvaluation: { method: 'POST', path: '/v1/evaluations/:evaluationId/replay' },
  cancelExperiment: { method: 'POST', path: '/v1/experiments/:experimentId/cancel' },
  getExperiment: { method: 'GET', path: '/v1/experiments/:experimentId' },
  listExperimentItems: { method: 'GET', path: '/v1/experiments/:experimentId/items' },
  listExperiments: { method: 'GET', path: '/v1/experiments' },
  resumeExperiment: { method: 'POST', path: '/v1/experiments/:experimentId/resume' },
  startExperiment: { method: 'POST', path: '/v1/experiments' },
  getConversationHistory: { method: 'GET', path: '/v1/conversations/:conversationId/history' },
  getRunHistory: { method: 'GET', path: '/v1/runs/:runId/history' },
  getSessionHistory: { method: 'GET', path: '/v1/sessions/:sessionId/history' },
  forkHistory: { method: 'POST', path: '/v1/histories/forks', lines: 'history' },
  getConversationProof: { method: 'GET', path: '/v1/conversations/:conversationId/proof' },
  getRunProof: { method: 'GET', path: '/v1/runs/:runId/proof' },
  getSessionProof: { method: 'GET', path: '/v1/sessions/:sessionId/proof' },
  getLatestSeal: { method: 'GET', path: '/v1/seals/latest' },
  listSeals: { method: 'GET', path: '/v1/seals' },
  sealLog: { method: 'POST', path: '/v1/seals' },
  eraseSubject: { method: 'POST', path: '/v1/subjects/:subject/erase' },
  getSubject: { method: 'GET', path: '/v1/subjects/:subject' },
  dropDelivery: { method: 'POST', path: '/v1/reactions/:name/parked/:id/drop' },
  listParkedDeliveries: { method: 'GET', path: '/v1/reactions/:name/parked' },
  listReactions: { method: 'GET', path: '/v1/reactions' },
  retryDelivery: { method: 'POST', path: '/v1/reactions/:name/parked/:id/retry' },
  deleteHook: { method: 'DELETE', path: '/v1/hooks/:hookId' },
  getHook: { method: 'GET', path: '/v1/hooks/:hookId' },
  listHookDeliveries: { method: 'GET', path: '/v1/hooks/:hookId/deliveries' },
  listHooks: { method: 'GET', path: '/v1/hooks' },
  registerHook: { method: 'POST', path: '/v1/hooks' },
  retryHookDelivery: { method: 'POST', path: '/v1/hooks/:hookId/deliveries/:deliveryId/retry' },
  testHook: { method: 'POST', path: '/v1/hooks/:hookId/test' },
  listEvents: { method: 'GET', path: '/v1/events' },
  exportContent: { method: 'POST', path: '/v1/exports/:dataset' },
  exportDataset: { method: 'GET', path: '/v1/exports/:dataset' },
  diffSessions: { method: 'GET', path: '/v1/sessions/:sessionId/diff' },
  whyConversation: { method: 'GET', path: '/v1/conversations/:conversationId/why' },
  whyRun: { method: 'GET', path: '/v1/runs/:runId/why' },
  whySession: { method: 'GET', path: '/v1/sessions/:sessionId/why' },
  simulateMachine: { method: 'POST', path: '/v1/machines/:machineName/simulations' },
  tryCall: { method: 'POST', path: '/v1/llm-calls/:callId/tries' },
  getDecisionDays: { method: 'GET', path: '/v1/decision-days' },
  getAlignment: { method: 'GET', path: '/v1/machines/:machineName/alignment' },
  getCollapseMetrics: { method: 'GET', path: '/v1/machines/:machineName/metrics' },
  getDecisionLog: { method: 'GET', path: '/v1/machines/:machineName/decisions' },
  getInbox: { method: 'GET', path: '/v1/inbox' },
  getModelStatistics: { method: 'GET', path: '/v1/models' },
  listExemplars: { method: 'GET', path: '/v1/machines/:machineName/exemplars' },
  listModelCapabilities: { method: 'GET', path: '/v1/models/capabilities' },
  importExemplars: { method: 'POST', path: '/v1/machines/:machineName/exemplars' },
  listProjections: { method: 'GET', path: '/v1/projections' },
  createSession: { method: 'POST', path: '/v1/sessions' },
  executeTransition: { method: 'POST', path: '/v1/sessions/:sessionId/transitions' },
  runSession: { method: 'POST', path: '/v1/sessions/:sessionId/run' },
  tickSession: { method: 'POST', path: '/v1/sessions/:sessionId/tick' },
  evaluateConsensus: { method: 'GET', path: '/v1/sessions/:sessionId/consensus' },
  getSession: { method: 'GET', path: '/v1/sessions/:sessionId' },
  getSessionAt: { method: 'GET', path: '/v1/sessions/:sessionId/at/:revision' },
  listProposals: { method: 'GET', path: '/v1/sessions/:sessionId/proposals' },
  listSessionEvents: { method: 'GET', path: '/v1/sessions/:sessionId/events' },
  listSessions: { method: 'GET', path: '/v1/sessions' },
  replaySession: { method: 'POST', path: '/v1/sessions/:sessionId/replay' },
  closeSession: { method: 'POST', path: '/v1/sessions/:sessionId/close' },
  submitArbitration: { method: 'POST', path: '/v1/sessions/:sessionId/arbitrations' },
  submitProposal: { method: 'POST', path: '/v1/sessions/:sessionId/proposals' },
  tickAll: { method: 'POST', path: '/v1/tick' },
  forkSession: { method: 'POST', path: '/v1/sessions/:sessionId/forks' },
  getLlmCall: { method: 'GET', path: '/v1/llm-calls/:callId' },
  listLlmCalls: { method: 'GET', path: '/v1/llm-calls' },
  listLlmCallsOfRun: { method: 'GET', path: '/v1/runs/:runId/llm-calls' },
  listLlmCallsOfSession: { method: 'GET', path: '/v1/sessions/:sessionId/llm-calls' },
  listWebhookCallsOfSession: { method: 'GET', path: '/v1/sessions/:sessionId/webhook-calls' },
  listProviders: { method: 'GET', path: '/v1/providers' },
  deletePerson: { method: 'DELETE', path: '/v1/people/:personId' },
  getPerson: { method: 'GET', path: '/v1/people/:personId' },
  getPrincipal: { method: 'GET', path: '/v1/principal' },
  listPeople: { method: 'GET', path: '/v1/people' },
  registerPerson: { method: 'POST', path: '/v1/people' },
  replacePersonGroups: { method: 'PUT', path: '/v1/people/:personId/groups' },
  replacePersonToken: { method: 'POST', path: '/v1/people/:personId/token' },
  assignTask: { method: 'POST', path: '/v1/tasks/:taskId/assign' },
  claimTask: { method: 'POST', path: '/v1/tasks/:taskId/claim' },
  commentTask: { method: 'POST', path: '/v1/tasks/:taskId/comments' },
  countTasks: { method: 'GET', path: '/v1/tasks/counts' },
  getTask: { method: 'GET', path: '/v1/tasks/:taskId' },
  listTaskEvents: { method: 'GET', path: '/v1/tasks/:taskId/events' },
  listTasks: { method: 'GET', path: '/v1/tasks' },
  releaseTask: { method: 'POST', path: '/v1/tasks/:taskId/release' },
  extendTask: { method: 'POST', path: '/v1/tasks/:taskId/extend' },
  answerTask: { method: 'POST', path: '/v1/tasks/:taskId/answer' },
  giveUpRecovery: { method: 'POST', path: '/v1/recovery/:stream/give-up' },
  listRecovery: { method: 'GET', path: '/v1/recovery' },
  retryRecovery: { method: 'POST', path: '/v1/recovery/:stream/retry' },
  cancelRun: { method: 'POST', path: '/v1/runs/:runId/cancel' },
  getRun: { method: 'GET', path: '/v1/runs/:runId' },
  listRuns: { method: 'GET', path: '/v1/runs' },
  signalRun: { method: 'POST', path: '/v1/runs/:runId/signals/:name' },
  startRun: { method: 'POST', path: '/v1/runs' },
  listRunEvents: { method: 'GET', path: '/v1/runs/:runId/events' },
  listToolCalls: { method: 'GET', path: '/v1/runs/:runId/tool-calls' },
  replayRun: { method: 'POST', path: '/v1/runs/:runId/replay' },
  forkRun: { method: 'POST', path: '/v1/runs/:runId/forks' },
  listIterations: { method: 'GET', path: '/v1/runs/:runId/iterations' },
  getTranscript: { method: 'GET', path: '/v1/runs/:runId/transcript' },
  getTool: { method: 'GET', path: '/v1/tools/:toolId' },
  listToolVersions: { method: 'GET', path: '/v1/tools/:toolId/versions' },
  listTools: { method: 'GET', path: '/v1/tools' },
  registerTool: { method: 'POST', path: '/v1/tools' },
  defineAgent: { method: 'POST', path: '/v1/agents', whole: 'agent' },
  getAgent: { method: 'GET', path: '/v1/agents/:agentName' },
  getAgentDiagram: { method: 'GET', path: '/v1/agents/:agentName/diagram' },
  listAgents: { method: 'GET', path: '/v1/agents' },
  validateAgent: { method: 'POST', path: '/v1/agents/validate', whole: 'agent' },
  getConversation: { method: 'GET', path: '/v1/conversations/:conversationId' },
  getConversationAt: { method: 'GET', path: '/v1/conversations/:conversationId/at/:revision' },
  listConversationEvents: { method: 'GET', path: '/v1/conversations/:conversationId/events' },
  listConversations: { method: 'GET', path: '/v1/conversations' },
  replayConversation: { method: 'POST', path: '/v1/conversations/:conversationId/replay' },
  startConversation: { method: 'POST', path: '/v1/conversations' },
  forkConversation: { method: 'POST', path: '/v1/conversations/:conversationId/forks' },
  listLlmCallsOfConversation: { method: 'GET', path: '/v1/conversations/:conversationId/llm-calls' },
  listToolCallsOfConversation: { method: 'GET', path: '/v1/conversations/:conversationId/tool-calls' },
  cancelTurn: { method: 'POST', path: '/v1/conversations/:conversationId/cancel' },
  dispatchDirective: { method: 'POST', path: '/v1/conversations/:conversationId/directives' },
  listTurns: { method: 'GET', path: '/v1/conversations/:conversationId/turns' },
  sendMessage: { method: 'POST', path: '/v1/conversations/:conversationId/messages' },
  signalTurn: { method: 'POST', path: '/v1/conversations/:conversationId/signals/:name' },
};
