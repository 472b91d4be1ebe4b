import dagre from '@dagrejs/dagre';
import type { MachineDefinition, TransitionRecord } from '#lib/client';

/** A state of the diagram, with its centre. */
export interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isInitial: boolean;
  readonly isGoal: boolean;
  /** Whether the path visited this state. */
  readonly isVisited: boolean;
}

/** A transition, as the corners of its line. */
export interface Arrow {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly label: { readonly x: number; readonly y: number };
  /** The steps of the path that took the transition, from 1. */
  readonly steps: readonly number[];
}

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

type Path = readonly Pick<TransitionRecord, 'fromState' | 'toState' | 'transitionName'>[];

const CHARACTER_PX = 7.4;
const LABEL_PX = 6.6;
const PADDING_PX = 28;
const HEIGHT_PX = 40;

/** The states and transitions of a machine in the plane, with the path of a session. */
export function layoutOf(machine: MachineDefinition, path: Path): Layout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 48, ranksep: 56, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const name of Object.keys(machine.states))
    graph.setNode(nodeOf(name), { width: name.length * CHARACTER_PX + PADDING_PX, height: HEIGHT_PX });
  const transitions = transitionsOf(machine, path);
  for (const { from, to, name } of transitions) {
    const label = { width: (name.length + 4) * LABEL_PX, height: 18, labelpos: 'c' };
    graph.setEdge({ v: nodeOf(from), w: nodeOf(to), name }, label);
  }
  dagre.layout(graph);
  const visited = new Set([machine.initialState, ...path.map(({ toState }) => toState)]);
  const { width = 0, height = 0 } = graph.graph();
  const boxes = Object.keys(machine.states).map((name) => ({
    name,
    ...placeOf(graph.node(nodeOf(name))),
    isInitial: name === machine.initialState,
    isGoal: name === (machine.goalState ?? machine.defaultState),
    isVisited: visited.has(name),
  }));
  const arrows = transitions.map(({ from, to, name }) => {
    const { points, x, y } = graph.edge({ v: nodeOf(from), w: nodeOf(to), name }) as Line;
    return { name, from, to, points, label: { x, y }, steps: stepsOf(path, from, to, name) };
  });
  return { width, height, boxes, arrows };
}

/** The node of a state: the layout takes the bare names of members that every object has, such as `constructor`, for nodes. */
function nodeOf(state: string): string {
  return `state ${state}`;
}

interface Line {
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly x: number;
  readonly y: number;
}

function placeOf({ x, y, width, height }: { x?: number; y?: number; width?: number; height?: number }) {
  return { x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0 };
}

interface Transition {
  readonly from: string;
  readonly to: string;
  readonly name: string;
}

/** The transitions of the definition, and those that an operator executed besides. */
function transitionsOf({ states }: MachineDefinition, path: Path): readonly Transition[] {
  const defined = Object.entries(states).flatMap(([from, { transitions = {} }]) =>
    Object.entries(transitions).map(([name, transition]) => {
      const to = typeof transition === 'string' ? transition : transition.target;
      return { from, to, name };
    }),
  );
  const besides = path
    .map(({ fromState: from, toState: to, transitionName: name }) => ({ from, to, name }))
    .filter(
      ({ from, to, name }) => !defined.some((one) => one.from === from && one.to === to && one.name === name),
    );
  const known = new Map([...defined, ...besides].map((one) => [JSON.stringify(one), one]));
  return [...known.values()].filter(
    ({ from, to }) => Object.hasOwn(states, from) && Object.hasOwn(states, to),
  );
}

function stepsOf(path: Path, from: string, to: string, name: string): readonly number[] {
  return path.flatMap((step, index) =>
    step.fromState === from && step.toState === to && step.transitionName === name ? [index + 1] : [],
  );
}
