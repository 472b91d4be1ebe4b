import { type FoundProblem, impossibleAt } from '#lib/json-schema';
import { escapePointerToken, isJsonObject, jsonText, ownMember, type Problem } from '#lib/kernel';
import { takesObject } from './arguments-schema.js';
import type { MachineDefinition, SpecialistDeclaration } from './machine-definition.js';
import type { TransitionPlace } from './machine-outline.js';
import { transitionsOf } from './machine-reading.js';
import { leadingTo, machineGraph, reachedFrom } from './prove/machine-graph.js';

const FUNCTION_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Enriched transitions that a provider may refuse as tools. */
export function toolWarnings(transitions: readonly TransitionPlace[]): FoundProblem[] {
  return transitions.flatMap(({ transitionName, path, definition }) => {
    const parameters = ownMember(definition, 'parameters');
    const isTool = parameters !== undefined || ownMember(definition, 'description') !== undefined;
    const schema = isJsonObject(parameters) ? parameters : undefined;
    return [
      ...(isTool && !FUNCTION_NAME.test(transitionName) ? [() => unusualName(path, transitionName)] : []),
      ...(schema && !takesObject(schema) ? [() => noObject(path)] : []),
      ...(schema && takesObject(schema) && ownMember(schema, 'type') === undefined
        ? [() => untyped(path)]
        : []),
    ];
  });
}

function unusualName(path: string, transitionName: string): Problem {
  const name = `the name ${jsonText(transitionName)} does not match ${FUNCTION_NAME.source}`;
  return { path, message: `${name}: its tool is sent under another name, which each call records` };
}

function noObject(path: string): Problem {
  const message = 'take no object: arguments are an object whose member "value" they describe';
  return { path: `${path}/parameters`, message };
}

function untyped(path: string): Problem {
  const message = 'has no "type": "object": providers may refuse it as a tool';
  return { path: `${path}/parameters`, message };
}

/** Parameters of a valid machine that no arguments can fit. */
export function impossibleParameters(transitions: readonly TransitionPlace[]): Problem[] {
  return transitions.flatMap(({ path, definition }) => {
    const pointer = impossibleAt(ownMember(definition, 'parameters'));
    if (pointer === undefined) return [];
    return [
      {
        path: `${path}/parameters${pointer}`,
        message: 'cannot be satisfied: no arguments fit these parameters',
      },
    ];
  });
}

/** States of a valid machine that no session can reach, or from which no session can reach the goal. */
export function graphWarnings(machine: MachineDefinition): FoundProblem[] {
  const graph = machineGraph(machine);
  const fromStart = reachedFrom(machine.initialState, graph);
  const toGoal = leadingTo(machine.goalState, graph);
  return Object.keys(machine.states).flatMap((name) => [
    ...(fromStart.has(name) ? [] : [() => aboutState(name, 'cannot be reached from the initial state')]),
    ...(toGoal.has(name) ? [] : [() => aboutState(name, `is a dead end: ${whyDead(machine, name)}`)]),
  ]);
}

function aboutState(name: string, what: string): Problem {
  return { path: `/states/${escapePointerToken(name)}`, message: `state ${jsonText(name)} ${what}` };
}

function whyDead(machine: MachineDefinition, name: string): string {
  const hasWayOut = Object.keys(transitionsOf(machine, name)).length > 0;
  return hasWayOut ? 'no way leads from it to the goal' : 'it has no transitions and is not the goal';
}

/** Quorums above the number of declared proposers. Without declared ones, proposers may be registered later. */
export function quorumWarnings({ states, quorum, specialists = [] }: MachineDefinition): Problem[] {
  const ofStates = Object.entries(states).flatMap(([name, state]) => {
    const path = `/states/${escapePointerToken(name)}`;
    if (state.quorum !== undefined)
      return unreachable(`${path}/quorum`, state.quorum, state.specialists ?? specialists);
    return unreachable(`${path}/specialists`, quorum, state.specialists ?? []);
  });
  return [...unreachable('/quorum', quorum, specialists), ...ofStates];
}

function unreachable(
  path: string,
  quorum: number | undefined,
  declared: readonly SpecialistDeclaration[],
): Problem[] {
  const proposers = declared.filter(({ role }) => role === 'proposer');
  const asked = proposers.filter(({ isHuman, disabled }) => !isHuman && !disabled).length;
  if (quorum === undefined || proposers.length === 0 || quorum <= asked) return [];
  const message = `the quorum ${quorum} is above the ${asked} enabled proposers that are not people: a person always decides`;
  return [{ path, message }];
}

/** Collapse policies without effect: a quorum above 1 goes before `collapse`. */
export function collapseWarnings({ states, quorum = 1, collapse }: MachineDefinition): Problem[] {
  const message = 'has no effect: a quorum above 1 is written, so no proposer decides alone';
  const ofStates = Object.entries(states).flatMap(([name, state]) =>
    state.collapse && (state.quorum ?? quorum) > 1
      ? [{ path: `/states/${escapePointerToken(name)}/collapse`, message }]
      : [],
  );
  return [...(collapse && quorum > 1 ? [{ path: '/collapse', message }] : []), ...ofStates];
}

/** Transitions with a `reasoning` parameter of their own, although a declared model is asked for its reasoning. */
export function reasoningWarnings({ states, specialists = [] }: MachineDefinition): Problem[] {
  return Object.entries(states).flatMap(([state, { transitions = {}, specialists: own = specialists }]) => {
    if (!own.some(({ askReasoning }) => askReasoning)) return [];
    return Object.entries(transitions).flatMap(([name, { parameters }]) => {
      const properties = parameters?.['properties'];
      if (!isJsonObject(properties) || !Object.hasOwn(properties, 'reasoning')) return [];
      const path = `/states/${escapePointerToken(state)}/transitions/${escapePointerToken(name)}`;
      const message = `the parameter "reasoning" of ${jsonText(name)} is its own: askReasoning leaves this transition alone`;
      return [{ path, message }];
    });
  });
}
