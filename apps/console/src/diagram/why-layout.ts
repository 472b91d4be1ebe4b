import dagre from '@dagrejs/dagre';
import type { Why } from '#lib/client';

const WIDTH_PX = 360;
const HEIGHT_PX = 52;
const LABEL = { width: 56, height: 14, labelpos: 'c' };

/** An event of the diagram, with its upper left corner. */
export interface Cause {
  readonly node: Why['nodes'][number];
  readonly x: number;
  readonly y: number;
}

/** From a cause to its effect, as the corners of a line. */
interface Effect {
  readonly key: string;
  readonly relation: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly x: number;
  readonly y: number;
}

export const BOX = { width: WIDTH_PX, height: HEIGHT_PX };

/** Events and their causes in the plane, causes above effects. */
export function whyLayout({ nodes, edges }: Why) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 24, ranksep: 30, marginx: 12, marginy: 12 });
  for (const { id } of nodes) graph.setNode(id, { ...BOX });
  const known = edges.filter(({ from, to }) => graph.hasNode(from) && graph.hasNode(to));
  for (const { from, to } of known) graph.setEdge(to, from, { ...LABEL });
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  const causes = nodes.map((node): Cause => {
    const { x = 0, y = 0 } = graph.node(node.id) as { readonly x?: number; readonly y?: number };
    return { node, x: x - WIDTH_PX / 2, y: y - HEIGHT_PX / 2 };
  });
  const effects = known.map(({ from, to, relation }): Effect => {
    const { points, x, y } = graph.edge(to, from) as Omit<Effect, 'key' | 'relation'>;
    return { key: `${to} ${from}`, relation, points, x, y };
  });
  return { width, height, causes, effects };
}
