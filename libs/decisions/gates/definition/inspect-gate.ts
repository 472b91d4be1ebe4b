import {
  escapePointerToken,
  isJsonObject,
  type JsonObject,
  jsonText,
  ownMember,
  type Problem,
  unknownProperty,
} from '#lib/kernel';
import { definitionSizeProblem, type MachineProblem } from '#lib/json-schema';
import { inspectMachine } from '#lib/decisions/machines';
import type { GateDefinition } from './gate-definition.js';
import { choiceOf, gateMachine } from './gate-machine.js';

const MEMBERS = [
  'gateId',
  'prompt',
  'choices',
  'specialists',
  'consensusThreshold',
  'quorum',
  'trust',
  'collapse',
];

/** The problems of a value as a gate, each with a JSON pointer into it: of its own shape, and of its machine. Pure, and never throws. */
export function inspectGate(value: unknown): readonly MachineProblem[] {
  if (!isJsonObject(value)) return [malformed('', 'must be of type object')];
  const tooLarge = definitionSizeProblem(value);
  if (tooLarge) return [tooLarge];
  const machine = gateMachine(readable(value));
  return [
    ...Object.keys(value).flatMap((name) =>
      MEMBERS.includes(name) ? [] : [unknownMember('', name, MEMBERS)],
    ),
    ...(ownMember(value, 'gateId') === undefined ? [missing('gateId')] : []),
    ...choiceProblems(ownMember(value, 'choices')),
    ...inspectMachine(machine).errors.map((problem) => ({ ...problem, path: pathInGate(problem.path) })),
  ];
}

/** Warnings about the machine of a valid gate: it is legal, but probably not as its author meant. */
export function gateWarnings(warnings: readonly Problem[]): readonly Problem[] {
  return warnings.map((warning) => ({ ...warning, path: pathInGate(warning.path) }));
}

function choiceProblems(choices: unknown): readonly MachineProblem[] {
  if (choices === undefined) return [missing('choices')];
  if (!isJsonObject(choices)) return [malformed('/choices', 'must be of type object')];
  const members = Object.entries(choices);
  if (members.length === 0)
    return [{ path: '/choices', message: 'must have at least one choice', kind: 'invalid' }];
  return members.flatMap(([name, choice]) => {
    const path = `/choices/${escapePointerToken(name)}`;
    if (typeof choice === 'string') return [];
    if (!isJsonObject(choice)) return [malformed(path, 'must be of type object or string')];
    return Object.hasOwn(choice, 'target') ? [unknownMember(path, 'target')] : [];
  });
}

/** The part from which a machine can be made: members with problems are left out or replaced by valid ones. */
function readable(value: JsonObject): GateDefinition {
  const { gateId = 'gate', choices, ...rest } = value;
  const usable = Object.entries(isJsonObject(choices) ? choices : {}).flatMap(([name, choice]) => {
    if (!isJsonObject(choice) && typeof choice !== 'string') return [];
    const { target: _target, ...members }: JsonObject = { ...choiceOf(choice) };
    return [[name, members] as const];
  });
  const gate: object = { ...rest, gateId, choices: Object.fromEntries(usable) };
  return gate as GateDefinition;
}

const PLACES: readonly (readonly [inMachine: string, inGate: string])[] = [
  ['/machineName', '/gateId'],
  ['/states/evaluate/transitions', '/choices'],
  ['/states/evaluate', ''],
];

function pathInGate(path: string): string {
  const place = PLACES.find(([inMachine]) => path === inMachine || path.startsWith(`${inMachine}/`));
  return place ? `${place[1]}${path.slice(place[0].length)}` : path;
}

function malformed(path: string, message: string): MachineProblem {
  return { path, message, kind: 'malformed' };
}

function unknownMember(base: string, name: string, known: readonly string[] = []): MachineProblem {
  return malformed(`${base}/${escapePointerToken(name)}`, unknownProperty(name, known));
}

function missing(name: string): MachineProblem {
  return { path: `/${name}`, message: `is missing: ${jsonText(name)} is required here`, kind: 'invalid' };
}
