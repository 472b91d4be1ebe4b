import type { JsonObject } from '#lib/kernel';
import type { ModelParameters } from '#lib/call-rules';
import type { Directive } from './directive-definition.js';
import type {
  AgentHooks,
  FlowHooks,
  Hook,
  Observer,
  Predicate,
  StepHooks,
  ToolUse,
} from './hook-definition.js';

/** The conditions of a part of an agent. `if` is tested first, and `when` only if all of `if` hold. */
export interface Conditions {
  /** Conditions that the model judges: at least one holds, and none of those that begin with `!`. */
  readonly when?: string | readonly string[];
  /** All of these predicates hold. */
  readonly if?: Predicate | readonly Predicate[];
}

export const INSTRUCTION_KINDS = ['must', 'never', 'should'] as const;

export interface InstructionInput extends Conditions {
  readonly id?: string;
  readonly kind?: (typeof INSTRUCTION_KINDS)[number];
  /** A Mustache template over `data`, `context`, `session` and `history`. */
  readonly prompt: string;
  readonly enabled?: boolean;
  readonly tags?: readonly string[];
  readonly metadata?: JsonObject;
}

export interface BranchInput extends Conditions {
  /** A step of the flow, else a flow (id or title), else a directive. */
  readonly then: string | Directive;
  readonly label?: string;
}

export interface StepInput extends Conditions {
  readonly id?: string;
  readonly description?: string;
  /** The model's task at this step. */
  readonly prompt?: string;
  /** The step is passed without a call of the model. */
  readonly auto?: boolean;
  /** The message of the step, in place of the model's: a Mustache template. */
  readonly reply?: string;
  /** The data that the step collects: it is satisfied once all are present. */
  readonly collect?: readonly string[];
  /** The data that must be present before the step is entered. */
  readonly requires?: readonly string[];
  /** The step is passed over if one of these holds. */
  readonly skip?: Predicate | readonly Predicate[];
  /** Registered tools that the model may also call at this step. */
  readonly tools?: readonly ToolUse[];
  readonly instructions?: readonly InstructionInput[];
  /** Short for the hook of this name. */
  readonly prepare?: Hook;
  /** Short for the hook of this name. */
  readonly finalize?: Hook;
  readonly hooks?: StepHooks;
  /** The first branch that applies gives the next step. */
  readonly branches?: readonly BranchInput[];
  /** Default: the step after this one. Of several the model chooses. */
  readonly next?: string | readonly string[];
}

export interface FlowInput extends Conditions {
  readonly id?: string;
  readonly title: string;
  readonly description?: string;
  readonly instructions?: readonly InstructionInput[];
  /** Registered tools that the model may also call in this flow. */
  readonly tools?: readonly ToolUse[];
  /** The flow is complete once all of these data are present; without any, after its last step. */
  readonly requiredFields?: readonly string[];
  readonly optionalFields?: readonly string[];
  readonly initialData?: JsonObject;
  readonly steps: readonly StepInput[];
  /** The next flow (id or title): short for the hook with `goTo`. */
  readonly onComplete?: string;
  /** The router may choose the completed flow again, if the user asks for it again. */
  readonly reentrant?: boolean;
  /** The router never chooses the flow: a directive, a branch or `onComplete` leads to it. */
  readonly entry?: 'directive';
  /** JSON Schema of the router's extras for this flow. They are `session.routingExtras` in that turn. */
  readonly routingExtrasSchema?: JsonObject;
  /** JSON Schema of the data of an answer in this flow, besides its message. */
  readonly responseOutputSchema?: JsonObject;
  readonly hooks?: FlowHooks;
}

/** The effect of a signal: a directive, which may stop the other signals of its phase. */
type SignalDirective = Directive & {
  readonly stopOtherSignals?: boolean;
  /** In place of `reply`. */
  readonly replyWith?: string;
};

/** A signal: any turn may match it, in any flow. */
export interface SignalInput extends Conditions {
  readonly id: string;
  readonly title?: string;
  readonly description?: string;
  /** Before the answer, after it, or both. */
  readonly phase: 'pre' | 'post' | 'both';
  /** JSON Schema of the values that the model extracts from the conversation if the signal matches. */
  readonly extract?: JsonObject;
  /** A directive, or a registered function or tool that answers one. */
  readonly handler?: SignalDirective | Observer;
  /** How often it may fire in a conversation. Default `always`. */
  readonly behavior?: 'once' | 'always' | 'cooldown';
  /** The time from one firing to the next, in ms. */
  readonly cooldownMs?: number;
  readonly enabled?: boolean;
  /** The higher fires first; of equals the one declared first. */
  readonly priority?: number;
}

interface Term {
  readonly name: string;
  readonly description: string;
  readonly synonyms?: readonly string[];
}

/** An agent as its author writes it. */
export interface AgentInput {
  readonly agentName: string;
  readonly goal?: string;
  readonly persona?: string;
  readonly model: string;
  readonly backupModels?: readonly string[];
  readonly modelParameters?: ModelParameters;
  /** JSON Schema of the data that flows collect: an object with properties. */
  readonly schema?: JsonObject;
  readonly initialData?: JsonObject;
  readonly terms?: readonly Term[];
  readonly knowledgeBase?: JsonObject;
  readonly instructions?: readonly InstructionInput[];
  /** Registered tools that the model may call. */
  readonly tools?: readonly ToolUse[];
  readonly hooks?: AgentHooks;
  readonly flows: readonly FlowInput[];
  readonly signals?: readonly SignalInput[];
  /** Signals in one call of the model. */
  readonly signalBatchSize?: number;
  readonly flowSwitchMargin?: number;
  /** The model routes: there is no other router. */
  readonly routerMode?: 'ai';
  readonly maxAutoStepsPerTurn?: number;
  readonly maxDirectiveChain?: number;
  /** Further calls of the model in a turn, with the results of tools. */
  readonly maxToolLoops?: number;
  /** Absent: every turn reads the whole history. */
  readonly compaction?: CompactionInput;
}

export type CompactionInput = {
  readonly maxTokens: number;
  /** Above this share of `maxTokens` earlier turns are summarised. Default 0.8. */
  readonly threshold?: number;
  /** Recent messages that are not summarised. Default 4. */
  readonly preserveRecentCount?: number;
  /** Characters of a tool's result in the model's input. Default 5,000. */
  readonly maxToolResultChars?: number;
};

/** A part with some members replaced. */
export type With<Part, Members> = Omit<Part, keyof Members> & Members;

/** Conditions with defaults: an empty list always holds. */
interface Normalized {
  readonly when: readonly string[];
  readonly if: readonly Predicate[];
}

type WithDefaults<Part, Name extends keyof Part> = With<Part, Normalized & Required<Pick<Part, Name>>>;

export type Instruction = WithDefaults<InstructionInput, 'id' | 'kind' | 'enabled'>;
export type Branch = With<BranchInput, Normalized>;
export type Step = With<
  WithDefaults<Omit<StepInput, 'prepare' | 'finalize'>, 'id' | 'collect' | 'requires'>,
  {
    readonly skip: readonly Predicate[];
    readonly instructions: readonly Instruction[];
    readonly branches?: readonly Branch[];
    /** Ids of steps; empty after the last step. */
    readonly next: readonly string[];
  }
>;
export type Flow = With<
  WithDefaults<Omit<FlowInput, 'onComplete'>, 'id' | 'requiredFields' | 'optionalFields' | 'reentrant'>,
  { readonly instructions: readonly Instruction[]; readonly steps: readonly Step[] }
>;
export type Signal = WithDefaults<SignalInput, 'behavior' | 'enabled' | 'priority'>;

type AgentDefaults =
  | 'schema'
  | 'initialData'
  | 'signalBatchSize'
  | 'flowSwitchMargin'
  | 'maxAutoStepsPerTurn'
  | 'maxDirectiveChain'
  | 'maxToolLoops';

/** An agent with all ids and defaults, as it is stored. */
export type Agent = With<
  AgentInput,
  Required<Pick<AgentInput, AgentDefaults>> & {
    readonly instructions: readonly Instruction[];
    readonly flows: readonly Flow[];
    readonly signals: readonly Signal[];
    readonly compaction?: Required<CompactionInput>;
  }
>;

type StepKind = 'llm' | 'auto' | 'reply';

/** The kind of a step: it asks the model, is passed, or sends its reply. */
export function stepKind({ auto, reply }: Pick<Step, 'auto' | 'reply'>): StepKind {
  if (auto) return 'auto';
  return reply === undefined ? 'llm' : 'reply';
}

/** The flow with this id, else with this title. */
export function flowNamed<F extends { readonly id: string; readonly title: string }>(
  flows: readonly F[],
  name: string,
): F | undefined {
  return flows.find(({ id }) => id === name) ?? flows.find(({ title }) => title === name);
}
