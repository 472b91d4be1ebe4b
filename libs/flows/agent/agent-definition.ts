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

/** When something applies. `if` is asked first, and `when` only if all of `if` hold. */
export interface Conditions {
  /** Judged by the model: one of these holds, and none of those that begin with `!`. */
  readonly when?: string | readonly string[];
  /** All of them hold. */
  readonly if?: Predicate | readonly Predicate[];
}

export const INSTRUCTION_KINDS = ['must', 'never', 'should'] as const;

export interface InstructionInput extends Conditions {
  readonly id?: string;
  readonly kind?: (typeof INSTRUCTION_KINDS)[number];
  /** Mustache over `data`, `context`, `session` and `history`. */
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
  /** Passed without a model. */
  readonly auto?: boolean;
  /** Said verbatim in place of the model: Mustache. */
  readonly reply?: string;
  /** Data that the step is about: it is satisfied once all are there. */
  readonly collect?: readonly string[];
  /** Data without which it is not entered. */
  readonly requires?: readonly string[];
  /** It is passed over if one of them holds. */
  readonly skip?: Predicate | readonly Predicate[];
  /** Registered tools that the model may call here besides. */
  readonly tools?: readonly ToolUse[];
  readonly instructions?: readonly InstructionInput[];
  /** Short for the hook of this name. */
  readonly prepare?: Hook;
  /** Short for the hook of this name. */
  readonly finalize?: Hook;
  readonly hooks?: StepHooks;
  /** The first that applies decides what follows. */
  readonly branches?: readonly BranchInput[];
  /** Default: the step after it. Of several the model chooses. */
  readonly next?: string | readonly string[];
}

export interface FlowInput extends Conditions {
  readonly id?: string;
  readonly title: string;
  readonly description?: string;
  readonly instructions?: readonly InstructionInput[];
  /** Registered tools that the model may call in this flow besides. */
  readonly tools?: readonly ToolUse[];
  /** The flow is complete once all are there; without any, after its last step. */
  readonly requiredFields?: readonly string[];
  readonly optionalFields?: readonly string[];
  readonly initialData?: JsonObject;
  readonly steps: readonly StepInput[];
  /** The flow (id or title) that follows: short for the hook with `goTo`. */
  readonly onComplete?: string;
  /** Whether the router may choose the flow again once it is completed, if the user wants to begin anew. */
  readonly reentrant?: boolean;
  /** The router never chooses the flow: a directive, a branch or `onComplete` leads to it. */
  readonly entry?: 'directive';
  /** JSON Schema of what the router adds if it chooses this flow. Seen in that turn as `session.routingExtras`. */
  readonly routingExtrasSchema?: JsonObject;
  /** JSON Schema of what an answer in this flow gives besides its message. */
  readonly responseOutputSchema?: JsonObject;
  readonly hooks?: FlowHooks;
}

/** The effect of a signal: a directive, which may stop the other signals of its phase. */
type SignalDirective = Directive & {
  readonly stopOtherSignals?: boolean;
  /** In place of `reply`. */
  readonly replyWith?: string;
};

/** Something that may be noticed in any turn, whatever its flow. */
export interface SignalInput extends Conditions {
  readonly id: string;
  readonly title?: string;
  readonly description?: string;
  /** Before the answer, after it, or both. */
  readonly phase: 'pre' | 'post' | 'both';
  /** JSON Schema of what the model takes from the conversation if the signal matches. */
  readonly extract?: JsonObject;
  /** A directive, or a registered function or tool that answers one. */
  readonly handler?: SignalDirective | Observer;
  /** How often it fires in a conversation. Default `always`. */
  readonly behavior?: 'once' | 'always' | 'cooldown';
  /** From the turn in which it fired to the next in which it may. */
  readonly cooldownMs?: number;
  readonly enabled?: boolean;
  /** The higher first; of equals the one that is declared first. */
  readonly priority?: number;
}

interface Term {
  readonly name: string;
  readonly description: string;
  readonly synonyms?: readonly string[];
}

/** An agent as it is written. */
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
  /** Signals that the model judges in one call. */
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
  /** The share of `maxTokens` beyond which earlier turns are summarised. Default 0.8. */
  readonly threshold?: number;
  /** Messages that stay as they are. Default 4. */
  readonly preserveRecentCount?: number;
  /** Characters of a tool's result that the model is shown. Default 5,000. */
  readonly maxToolResultChars?: number;
};

/** A part with other members in place of its own. */
export type With<Part, Members> = Omit<Part, keyof Members> & Members;

/** Conditions with their defaults: no entry holds always. */
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
    /** Ids; empty after the last step. */
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

/** The kind of a step: it asks the model, is passed, or says its reply. */
export function stepKind({ auto, reply }: Pick<Step, 'auto' | 'reply'>): StepKind {
  if (auto) return 'auto';
  return reply === undefined ? 'llm' : 'reply';
}

/** A flow by its id, else by its title. */
export function flowNamed<F extends { readonly id: string; readonly title: string }>(
  flows: readonly F[],
  name: string,
): F | undefined {
  return flows.find(({ id }) => id === name) ?? flows.find(({ title }) => title === name);
}
