import type {
  CollapsePolicy,
  SpecialistDeclaration,
  TransitionDefinition,
  TrustPolicy,
} from '#lib/decisions/machines';

/** One way to decide a gate. With a description or parameters it can be offered to a model as a tool. */
export type GateChoice = Omit<TransitionDefinition, 'target' | 'needsPerson'>;

/** A gate as people write it: a choice may be its description alone. */
export type GateInput = Omit<GateDefinition, 'choices'> & {
  readonly choices: { readonly [name: string]: GateChoice | string };
};

/** One question, asked again and again: each invocation is decided separately, and its comparisons count for the gate. */
export type GateDefinition = {
  /** Names the gate and its machine, and scopes the alignment of its proposers. */
  readonly gateId: string;
  /** The question. */
  readonly prompt?: string;
  /** By name, at least one. The order counts: it is the order of the tools, and the first one is the "first available". */
  readonly choices: { readonly [name: string]: GateChoice };
  /** Registered with the gate if they are not registered yet. */
  readonly specialists?: readonly SpecialistDeclaration[];
  /** From 0 to 1. */
  readonly consensusThreshold?: number;
  /** From 1: with fewer proposals a person decides. Default: 2, or all proposers if there are fewer. */
  readonly quorum?: number;
  /** Below it a proposer's proposals have no weight. */
  readonly trust?: TrustPolicy;
  /** The champion decides alone, except in spot checks. */
  readonly collapse?: CollapsePolicy;
};
