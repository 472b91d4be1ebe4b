import { type MachineGraph, reachedFrom, wayTo } from './machine-graph.js';

/** One loop for each strongly connected part of a graph that has one, as its states; the last leads to the first. Linear in the graph. */
export function loopsOf(graph: MachineGraph): readonly (readonly string[])[] {
  return stronglyConnected(graph).flatMap((part) => {
    const loop = loopThrough(part, graph);
    return loop ? [loop] : [];
  });
}

/** The shortest loop through the first state of a strongly connected part. */
function loopThrough([start = '', ...others]: readonly string[], graph: MachineGraph) {
  const part = new Set([start, ...others]);
  const inside = new Map(
    [...part].map((state) => [state, (graph.get(state) ?? []).filter(({ to }) => part.has(to))]),
  );
  const reached = reachedFrom(start, inside);
  const last = [...reached.keys()].find((state) => inside.get(state)?.some(({ to }) => to === start));
  return last === undefined ? undefined : [...wayTo(last, reached).map(({ from }) => from), last];
}

/** Tarjan's algorithm with a stack of its own: the deepest machine needs no recursion. */
function stronglyConnected(graph: MachineGraph): readonly (readonly string[])[] {
  const search = new Search(graph);
  for (const state of graph.keys()) search.from(state);
  return search.parts.toReversed();
}

interface Visit {
  readonly state: string;
  readonly targets: Iterator<string>;
}

class Search {
  readonly parts: string[][] = [];
  private readonly order = new Map<string, number>();
  private readonly lowest = new Map<string, number>();
  private readonly open = new Set<string>();
  /** The open states, in the order of entry. */
  private readonly entered: string[] = [];
  private readonly visits: Visit[] = [];

  constructor(private readonly graph: MachineGraph) {}

  from(start: string): void {
    if (this.order.has(start)) return;
    this.enter(start);
    for (let visit = this.visits.at(-1); visit; visit = this.visits.at(-1)) this.advance(visit);
  }

  private enter(state: string): void {
    this.lowest.set(state, this.order.size);
    this.order.set(state, this.order.size);
    this.open.add(state);
    this.entered.push(state);
    const targets = (this.graph.get(state) ?? []).map(({ to }) => to).values();
    this.visits.push({ state, targets });
  }

  private advance({ state, targets }: Visit): void {
    const next = targets.next();
    if (next.done) return this.leave(state);
    if (!this.order.has(next.value)) return this.enter(next.value);
    if (this.open.has(next.value)) this.lower(state, this.order.get(next.value));
  }

  private leave(state: string): void {
    this.visits.pop();
    const parent = this.visits.at(-1);
    if (parent) this.lower(parent.state, this.lowest.get(state));
    if (this.lowest.get(state) === this.order.get(state)) this.close(state);
  }

  /** All states that were entered after the root of a part, and are open, belong to it. */
  private close(root: string): void {
    const part = this.entered.splice(this.entered.lastIndexOf(root));
    for (const state of part) this.open.delete(state);
    this.parts.push(part);
  }

  private lower(state: string, to = Infinity): void {
    this.lowest.set(state, Math.min(this.lowest.get(state) ?? Infinity, to));
  }
}
