import type { JsonObject } from '#lib/kernel';
import type { Budget, ModelParameters } from '#lib/call-rules';
import type { MachineProperty } from './prove/property.js';
import type { DecidingPolicy, TimedTransition } from './deciding-times.js';

/** The treatment of a tool call whose arguments do not fit `parameters`. Default: `accept`. */
export type InvalidArgumentsPolicy = 'accept' | 'reject' | 'reask';

/** A way from one state to another. With a description or parameters it is enriched: it can be offered to a model as a tool. */
export type TransitionDefinition = {
  /** The name of the target state. */
  readonly target: string;
  /** The description that the model reads. May be empty. */
  readonly description?: string;
  /** A JSON Schema (of type `object`) for the tool's arguments. */
  readonly parameters?: JsonObject;
  readonly onInvalidArguments?: InvalidArgumentsPolicy;
  /** Only people execute it: always, or if the expression over `args, metaJson, session` is not false. */
  readonly needsPerson?: NeedsPerson;
};

/** The condition counts as true if the expression fails. */
export type NeedsPerson = true | { readonly if: string };

/** A transition as it may be written: its target alone, or its definition. */
export type TransitionInput = string | TransitionDefinition;

/**
 * A specialist that a machine or a state declares: the body of `POST /v1/specialists`, without the machine's name. The
 * registration checks which members exclude each other (the execution modes).
 */
export type SpecialistDeclaration = {
  readonly role: 'proposer' | 'arbiter';
  readonly specialistId: string;
  readonly isHuman?: boolean;
  /** The person who acts as this human. Default: the person with the specialist's id. */
  readonly personId?: string;
  readonly strategyFnName?: string;
  readonly strategyWebhookUrl?: string;
  readonly contextFnName?: string;
  readonly contextTemplate?: string;
  readonly contextWebhookUrl?: string;
  readonly modelId?: string;
  /** Every offered tool also asks for `reasoning`. */
  readonly askReasoning?: boolean;
  /** The workflow that proposes. */
  readonly workflow?: ProposingWorkflow;
  /** Default: temperature 0. */
  readonly modelParameters?: ModelParameters;
  /** Models that are asked in this order if the provider of the one before fails. */
  readonly backupModels?: readonly string[];
  /** A model call that may exceed it is not made. */
  readonly budget?: Budget;
  /** Mustache over the context and `machineName`; replaces the default text of the system message. */
  readonly systemPrompt?: string;
  /** The name of the environment variable with the webhook's token. */
  readonly webhookTokenName?: string;
  readonly threshold?: number;
  /** The trust of an arbiter; that of a state or of the machine replaces it. */
  readonly trust?: TrustPolicy;
  /** The version made by this registration is disabled, until the specialist is enabled. */
  readonly disabled?: boolean;
  /** The version made by this registration starts with the alignment of the one before. */
  readonly keepAlignment?: boolean;
};

/** A registered workflow that proposes: its input has the transitions of the state as `exits`, and its exit is the proposal. */
export type ProposingWorkflow = {
  readonly name: string;
  /** Its input without `exits`. Each text in it is a Mustache template over the context of a proposer. */
  readonly input?: JsonObject;
};

/** The minimum alignment and comparisons of a proposer whose proposals have weight. Both default to 0. */
export type TrustPolicy = {
  /** The minimum number of comparisons with people. */
  readonly minComparisons?: number;
  /** The minimum alignment score, from 0 to 1. */
  readonly minAlignment?: number;
};

/**
 * The order of asking a round's proposers: one after another, with arbitrations in between, so that a clear round asks few; or
 * all at the same time, before the arbitration.
 */
type AskOrder = 'in turn' | 'together';

/** The champion decides rounds alone: the enabled proposer with the highest alignment, if that is at least 0.8. */
export type CollapsePolicy = {
  /** One round in this many goes to a person, so that alignment is still measured. From 1. Absent: none. */
  readonly spotCheckEvery?: number;
};

type State<Transition> = {
  /** The question to decide in this state. */
  readonly prompt?: string;
  /** By name. The order counts: it is the order of the tools, and the first one is the "first available". */
  readonly transitions?: { readonly [name: string]: Transition };
  /** From 0 to 1; overrides the machine's. */
  readonly consensusThreshold?: number;
  /** From 1; overrides the machine's. */
  readonly quorum?: number;
  /** Overrides the machine's. */
  readonly ask?: AskOrder;
  /** Replaces the machine's as a whole. */
  readonly trust?: TrustPolicy;
  /** Replaces the machine's as a whole. */
  readonly collapse?: CollapsePolicy;
  /** Replaces the machine's as a whole. */
  readonly people?: DecidingPolicy;
  /** The first one due in an undecided round decides it. */
  readonly after?: readonly TimedTransition[];
  /** If present, these take part in this state instead of the machine's. */
  readonly specialists?: readonly SpecialistDeclaration[];
};

/** A state as it may be written. */
export type StateInput = State<TransitionInput>;
/** A state after normalization. */
export type StateDefinition = State<TransitionDefinition>;

type Machine<S> = {
  readonly machineName: string;
  readonly initialState: string;
  readonly states: { readonly [name: string]: S };
  readonly specialists?: readonly SpecialistDeclaration[];
  /** From 0 to 1. */
  readonly consensusThreshold?: number;
  /** From 1: with fewer proposals an arbiter decides no round. */
  readonly quorum?: number;
  /** Default: `in turn`. */
  readonly ask?: AskOrder;
  /** Replaces an arbiter's as a whole. */
  readonly trust?: TrustPolicy;
  /** Absent: every round asks every proposer. */
  readonly collapse?: CollapsePolicy;
  /** Absent: the people of its human specialists decide, each alone. */
  readonly people?: DecidingPolicy;
  /** Statements that must hold: otherwise the definition is refused. */
  readonly properties?: readonly MachineProperty[];
};

/** A machine as an author writes it. `defaultState` is the old name of `goalState`; both may be given if they are equal. */
export type MachineInput = Machine<StateInput> & { readonly $schema?: string } & (
    | { readonly goalState: string; readonly defaultState?: string }
    | { readonly goalState?: undefined; readonly defaultState: string }
  );

/** A machine as Redial uses and stores it: made by `normalizeMachine` from a valid `MachineInput`. */
export type MachineDefinition = Machine<StateDefinition> & { readonly goalState: string };
