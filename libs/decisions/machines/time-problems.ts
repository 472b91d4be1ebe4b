import {
  escapePointerToken,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonText,
  ownMember,
  type Problem,
} from '#lib/kernel';
import { inspectSchema } from '#lib/json-schema';
import { durationProblems, timesProblems } from '#lib/candidates';
import type { MachineOutline, TransitionPlace } from './machine-outline.js';
import { checkArguments } from './check-arguments.js';

/** A state in a value that may not be a machine. */
interface StatePlace {
  readonly name: string;
  readonly path: string;
  readonly state: JsonObject;
  readonly isResting: boolean;
  /** By name. `problem`: the reason why no timer may execute it, once computed. */
  readonly transitions: ReadonlyMap<string, { readonly place: TransitionPlace; problem?: string | null }>;
}

/** Impossible times in a definition, and transitions that no timer may execute. */
export function timeProblems(outline: MachineOutline): readonly Problem[] {
  const states = statesOf(outline);
  const own = states.flatMap(({ path, state }) =>
    timesProblems(`${path}/people`, ownMember(state, 'people')),
  );
  return [
    ...timesProblems('/people', ownMember(outline.machine, 'people')),
    ...own,
    ...states.flatMap((place) => expiryProblems(outline, place)),
    ...states.flatMap((place) => afterProblems(place)),
  ];
}

function statesOf({ machine, states, transitions }: MachineOutline): readonly StatePlace[] {
  const byState = new Map<string, Map<string, { readonly place: TransitionPlace }>>();
  for (const place of transitions) {
    const ofState = byState.get(place.stateName) ?? new Map<string, { readonly place: TransitionPlace }>();
    byState.set(place.stateName, ofState.set(place.transitionName, { place }));
  }
  const goal = ownMember(machine, 'goalState') ?? ownMember(machine, 'defaultState');
  return Object.entries(states ?? {}).flatMap(([name, state]) => {
    if (!isJsonObject(state)) return [];
    const own = byState.get(name) ?? new Map<string, { readonly place: TransitionPlace }>();
    const isResting = name === goal || own.size === 0;
    return [{ name, state, path: `/states/${escapePointerToken(name)}`, isResting, transitions: own }];
  });
}

/** A policy of the machine holds for each state without its own, except states in which sessions rest. */
function expiryProblems(outline: MachineOutline, place: StatePlace): readonly Problem[] {
  const own = ownMember(place.state, 'people');
  const people = own ?? ownMember(outline.machine, 'people');
  const onExpiry = isJsonObject(people) ? ownMember(people, 'onExpiry') : undefined;
  const name = isJsonObject(onExpiry) ? ownMember(onExpiry, 'transition') : undefined;
  if (typeof name !== 'string' || place.isResting) return [];
  const path = `${own === undefined ? '' : place.path}/people/onExpiry/transition`;
  return untimely(place, name).map((message) => ({ path, message }));
}

function afterProblems(place: StatePlace): readonly Problem[] {
  const after = listOf(place.state, 'after');
  const path = `${place.path}/after`;
  if (after.length > 0 && place.isResting) return [{ path, message: 'is in a state in which sessions rest' }];
  return after.flatMap((one, index) => {
    if (!isJsonObject(one)) return [];
    const name = ownMember(one, 'transition');
    const found = typeof name === 'string' ? untimely(place, name) : [];
    return [
      ...durationProblems(`${path}/${index}/in`, ownMember(one, 'in')),
      ...found.map((message) => ({ path: `${path}/${index}/transition`, message })),
    ];
  });
}

/** The reason why no timer may execute this transition of a state. Computed once for each, however often it is named. */
function untimely({ name: state, transitions }: StatePlace, name: string): readonly string[] {
  const transition = transitions.get(name);
  const named = `${jsonText(name)} of state ${jsonText(state)}`;
  if (!transition) return [`is no transition of state ${jsonText(state)}: ${jsonText(name)}`];
  transition.problem ??= whyUntimely(transition.place) ?? null;
  return transition.problem === null ? [] : [`${transition.problem}: ${named}`];
}

function whyUntimely(place: TransitionPlace): string | undefined {
  if (ownMember(place.definition ?? {}, 'needsPerson') !== undefined)
    return 'needs a person, and a timer is none';
  return needsArguments(place) ? 'needs arguments, and a timer has none' : undefined;
}

function needsArguments({ definition = {} }: TransitionPlace): boolean {
  const parameters = ownMember(definition, 'parameters');
  if (!isJsonObject(parameters)) return false;
  if (listOf(parameters, 'required').length > 0) return true;
  const isChecked = (ownMember(definition, 'onInvalidArguments') ?? 'accept') !== 'accept';
  return isChecked && inspectSchema(parameters).length === 0 && checkArguments({ parameters }).count > 0;
}

function listOf(holder: JsonObject, name: string): readonly Json[] {
  const list: unknown = ownMember(holder, name);
  return Array.isArray(list) ? (list as Json[]) : [];
}
