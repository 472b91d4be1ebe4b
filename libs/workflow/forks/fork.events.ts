// The names of this event and of its members are the storage format: logs of every release hold them.
import { type DeclaredEvents, type DeclaredMembers, forkedFromMembers } from '#lib/event-store';
import type { Event, Json, JsonObject } from '#lib/kernel';

/** `hold`: each call of a function or webhook, and of a tool that changes something, waits for an approval. */
export type RunEffects = 'hold' | 'allow';

/** The calls of models that are otherwise in a fork, and in the runs below it. */
export type RunOverrides = {
  /** In place of the first model of each call. */
  readonly model?: string;
  /** The fact `models` of it: how it is called. */
  readonly models?: Json;
  readonly modelParameters?: JsonObject;
};

/**
 * External. A run goes on by itself from here: what came before was copied. Steps that were open there are not open any more: what was
 * under way is of the other run, and is asked for again.
 */
export type WorkflowForked = Event<
  'WorkflowForked',
  {
    /** The fork. Ids in the run follow from it from here on, and before it from the run that was forked. */
    readonly runId: string;
    readonly effects: RunEffects;
    /** The person who forked it. Absent: no person, and before 0.3.1. */
    readonly by?: string;
    /** Whole: those of a fork that was forked are among them. */
    readonly overrides?: RunOverrides;
  }
>;

const overridesMembers = {
  model: 'structure',
  models: 'content',
  modelParameters: 'content',
} as const satisfies DeclaredMembers<RunOverrides>;

/** Those of the start of a fork, and of a run below one, that other starts do not have. */
export const copiedMembers = {
  overrides: overridesMembers,
  forkedFrom: forkedFromMembers,
  firstRunId: 'structure',
} as const;

const members = { runId: 'structure', effects: 'structure', overrides: overridesMembers } as const;

/** The catalogue's entry of it. */
export const forkedDefinition: DeclaredEvents<WorkflowForked>['WorkflowForked'] = {
  version: 2,
  members: { ...members, by: 'structure' },
  earlier: { 1: members },
  upcasters: { 1: (data) => data },
  // An older build would let the person answer where the creator is excluded.
  versionOf: ({ by }) => (by === undefined ? 1 : 2),
};
