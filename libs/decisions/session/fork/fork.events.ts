// The names of these events and of their members are the storage format: logs of every release hold them.
import type { Event, JsonObject } from '#lib/kernel';
import { type MachineDefinition, machineMembers, type SpecialistDeclaration } from '#lib/decisions/machines';
import type { DeclaredEvents, DeclaredMembers } from '#lib/event-store';

/** Members of a proposer's registration that a fork replaces. An absent member stays as registered. */
export type ProposerOverrides = Pick<
  SpecialistDeclaration,
  'modelId' | 'backupModels' | 'modelParameters' | 'systemPrompt' | 'contextTemplate' | 'budget'
> & { readonly askReasoning?: true };

/** The changes of a variant: members of the registration, and prompts of states by their names. */
export type VariantOverrides = ProposerOverrides & {
  readonly prompts?: { readonly [state: string]: string };
};

/** `hold`: functions and webhooks of the application, and tools that change something, wait for an approval. */
export type ForkEffects = 'hold' | 'allow';

/** A specialist in the log of a history file that the log of the fork did not have. */
export type LackingSpecialist = Pick<SpecialistDeclaration, 'specialistId' | 'role'>;

/**
 * The beginning of a fork's own events: earlier events are copies. Calls that were open in the parent do not belong to it; the
 * next events of the same append ask for them again.
 */
export type SessionForked = Event<
  'SessionForked',
  {
    readonly roundId: string;
    readonly effects: ForkEffects;
    /** The person who forked it. Absent: no person, or before 0.3.1. */
    readonly by?: string;
    /** The round begins again: without approvals, and with the times of the definition. Absent before 0.3.1. */
    readonly freshRound?: true;
    /** The machine from here on. */
    readonly machine?: MachineDefinition;
    /** Absent: the machine declares the specialists itself. */
    readonly machineVersion?: number;
    readonly machineHash?: string;
    readonly metaJson?: JsonObject;
    readonly specialists?: { readonly [specialistId: string]: ProposerOverrides };
    /** Without them only a person decides. Absent: those of the parent. */
    readonly lacks?: readonly LackingSpecialist[];
    /** The clock of the round, if it has one: its time counts from the fork. */
    readonly clockId?: string;
  }
>;

const members = {
  roundId: 'structure',
  effects: 'structure',
  machine: machineMembers,
  machineVersion: 'structure',
  machineHash: 'derived',
  metaJson: 'content',
  specialists: 'content',
  lacks: [{ specialistId: 'structure', role: 'structure' }],
  clockId: 'structure',
} as const satisfies DeclaredMembers<Omit<SessionForked['data'], 'by' | 'freshRound'>>;

/** The catalogue's entry of it. */
export const forkedDefinition: DeclaredEvents<SessionForked>['SessionForked'] = {
  version: 2,
  members: { ...members, by: 'structure', freshRound: 'structure' },
  earlier: { 1: members },
  upcasters: { 1: (data) => data },
  // Versions that older builds refuse: they would let an excluded person decide, and count approvals of the parent.
  versionOf: ({ by, freshRound }) => ((by ?? freshRound) === undefined ? 1 : 2),
};
