// The names of this event and of its members are the storage format: logs of every release hold them.
import { type DeclaredEvents, type DeclaredMembers, forkedFromMembers } from '#lib/event-store';
import type { Event, Json, JsonObject } from '#lib/kernel';

/** `hold`: an approval comes before each call of a function or webhook, and of a tool that changes something. */
export type RunEffects = 'hold' | 'allow';

/** Changes to the calls of models in a fork, and in the runs below it. */
export type RunOverrides = {
  /** Replaces the first model of each call. */
  readonly model?: string;
  /** The fact `models` of that model: how it is called. */
  readonly models?: Json;
  readonly modelParameters?: JsonObject;
};

/**
 * External. The event at which a run with copied events continues by itself. Steps that were open in the copied events belong to the other run:
 * they are closed here, and are asked for again.
 */
export type WorkflowForked = Event<
  'WorkflowForked',
  {
    /** The id of the fork. Ids in the run follow from it after this event, and before it from the id of the run that was forked. */
    readonly runId: string;
    readonly effects: RunEffects;
    /** The person who forked the run. Absent if no person did, and before 0.3.1. */
    readonly by?: string;
    /** All overrides that apply: those of a fork that was forked are among them. */
    readonly overrides?: RunOverrides;
  }
>;

const overridesMembers = {
  model: 'structure',
  models: 'content',
  modelParameters: 'content',
} as const satisfies DeclaredMembers<RunOverrides>;

/** The members that only the start of a fork, or of a run below one, has. */
export const copiedMembers = {
  overrides: overridesMembers,
  forkedFrom: forkedFromMembers,
  firstRunId: 'structure',
} as const;

const members = { runId: 'structure', effects: 'structure', overrides: overridesMembers } as const;

/** The entry of `WorkflowForked` in the event catalogue. */
export const forkedDefinition: DeclaredEvents<WorkflowForked>['WorkflowForked'] = {
  version: 2,
  members: { ...members, by: 'structure' },
  earlier: { 1: members },
  upcasters: { 1: (data) => data },
  // An older build would let this person answer where the creator is excluded.
  versionOf: ({ by }) => (by === undefined ? 1 : 2),
};
