import {
  type Duration,
  durationProblem,
  isJsonObject,
  type Json,
  ownMember,
  type Problem,
} from '#lib/kernel';

/** The times of a wait for people, counted from its beginning. Durations are from 1 s to 366 d. */
export type WaitingTimes = {
  readonly dueIn?: Duration;
  /** The times before the wait is due. */
  readonly remindBefore?: readonly Duration[];
  readonly escalations?: readonly Escalation[];
  /** After this time the wait takes no answer. */
  readonly expireIn?: Duration;
};

/** More people who may answer, after some time. */
type Escalation = {
  readonly in: Duration;
  readonly groups?: readonly string[];
  readonly people?: readonly string[];
  /** `false`: these people replace all who could answer before. Default: `true`. */
  readonly keep?: boolean;
};

/** Whether a wait with these times needs a clock. */
export function hasTimes({ dueIn, escalations = [], expireIn }: WaitingTimes = {}): boolean {
  return dueIn !== undefined || expireIn !== undefined || escalations.length > 0;
}

/** The candidates that the escalations of a wait have named until now. */
export type Escalated = {
  readonly groups: readonly string[];
  readonly people: readonly string[];
  /** The earlier candidates can no longer answer. */
  readonly isInstead: boolean;
};

/** The problems of the times in a policy, which may be any value: durations, escalations without people, members without the ones they need. */
export function timesProblems(path: string, policy: Json | undefined): readonly Problem[] {
  if (!isJsonObject(policy)) return [];
  const own = (name: string) => ownMember(policy, name);
  const needs = (name: string, other: string) =>
    own(name) !== undefined && own(other) === undefined
      ? [{ path: `${path}/${name}`, message: `needs ${other} beside it` }]
      : [];
  return [
    ...durationProblems(`${path}/dueIn`, own('dueIn')),
    ...listOf(own('remindBefore')).flatMap((one, index) =>
      durationProblems(`${path}/remindBefore/${index}`, one),
    ),
    ...listOf(own('escalations')).flatMap((one, index) =>
      escalationProblems(`${path}/escalations/${index}`, one),
    ),
    ...durationProblems(`${path}/expireIn`, own('expireIn')),
    ...needs('remindBefore', 'dueIn'),
    ...needs('onExpiry', 'expireIn'),
  ];
}

function escalationProblems(path: string, escalation: Json): readonly Problem[] {
  if (!isJsonObject(escalation)) return [];
  const asked = ['groups', 'people'].flatMap((name) => listOf(ownMember(escalation, name)));
  const nobody = { path, message: 'asks nobody: name groups or people' };
  return [
    ...durationProblems(`${path}/in`, ownMember(escalation, 'in')),
    ...(asked.length > 0 ? [] : [nobody]),
  ];
}

/** The problems of a value as a duration. A value of another type is left to the schema. */
export function durationProblems(path: string, value: Json | undefined): readonly Problem[] {
  const message = typeof value === 'string' ? durationProblem(value) : undefined;
  return message === undefined ? [] : [{ path, message }];
}

function listOf(value: Json | undefined): readonly Json[] {
  const list: unknown = value;
  return Array.isArray(list) ? (list as Json[]) : [];
}
