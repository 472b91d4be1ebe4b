import type { EventLog, Position } from '#lib/event-store';
import { printable, type RecordedEvent } from '#lib/kernel';
import { summaryOf } from '#lib/summaries';
import { mergedEvents, type RunsAsked } from '#lib/workflow';
import { causesOf, keysOf, type Relation } from './causes.rules.js';

/** An event on the way to another one. */
export interface WhyNode {
  /** `<stream>@<revision>` */
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly occurredAt: string;
  readonly summary: string;
}

/** From an event to a cause of it. */
export interface WhyEdge {
  readonly from: string;
  readonly to: string;
  readonly relation: Relation;
}

/** An event with its causes and theirs: the event itself is the first node, the others are in log order. */
export interface WhyGraph {
  readonly nodes: readonly WhyNode[];
  readonly edges: readonly WhyEdge[];
}

/**
 * An event of a stream, and all that led to it in the stream and in the runs that it asks for. The events are read twice: of those
 * that are no cause only the place is held.
 * @param target of the stream
 */
export async function whyOf(
  log: EventLog,
  stream: string,
  asked: RunsAsked,
  target: RecordedEvent,
): Promise<WhyGraph> {
  const past = log.upTo(target.position as Position);
  const edges = await edgesTo(past, stream, asked, idOf(target));
  const reached = new Set(edges.map(({ to }) => to));
  const nodes: WhyNode[] = [nodeOf(target)];
  for await (const { event } of mergedEvents(past, [stream], asked))
    if (reached.has(idOf(event)) && idOf(event) !== idOf(target)) nodes.push(nodeOf(event));
  return { nodes, edges };
}

async function edgesTo(
  log: EventLog,
  stream: string,
  asked: RunsAsked,
  target: string,
): Promise<readonly WhyEdge[]> {
  /** The newest event of each key. */
  const byKey = new Map<string, string>();
  const causes = new Map<string, readonly WhyEdge[]>();
  for await (const { event } of mergedEvents(log, [stream], asked)) {
    const from = idOf(event);
    causes.set(from, edgesFrom(from, event, byKey));
    for (const key of keysOf(event)) byKey.set(key, from);
  }
  const edges: WhyEdge[] = [];
  const seen = new Set([target]);
  for (const id of seen) {
    for (const edge of causes.get(id) ?? []) {
      edges.push(edge);
      seen.add(edge.to);
    }
  }
  return edges;
}

/** The start of the stream stands for causes that nothing names. */
function edgesFrom(
  from: string,
  event: RecordedEvent,
  byKey: ReadonlyMap<string, string>,
): readonly WhyEdge[] {
  const edges: WhyEdge[] = [];
  for (const { key, relation } of causesOf(event)) {
    const to = byKey.get(key);
    if (to === undefined || to === from || edges.some((edge) => edge.to === to)) continue;
    if (relation === 'start' && edges.length > 0) continue;
    edges.push({ from, to, relation });
  }
  return edges;
}

function idOf({ stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>): string {
  return `${stream}@${revision}`;
}

function nodeOf(event: RecordedEvent): WhyNode {
  const { stream, revision, type, occurredAt } = event;
  return { id: idOf(event), stream, revision, type, occurredAt, summary: summaryOf(event) };
}

/** The causes as a Mermaid flowchart, from the first ones to the event. */
export function whyDiagram({ nodes, edges }: WhyGraph): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const boxes = nodes.map(
    ({ id, type, summary }) => `  ${names.get(id)}["${quoted(`${type}: ${summary}`)}"]`,
  );
  const arrows = edges.map(
    ({ from, to, relation }) => `  ${names.get(to)} -->|${relation}| ${names.get(from)}`,
  );
  return ['flowchart TD', ...boxes, ...arrows, ''].join('\n');
}

/** Mermaid reads entities within quotes, and nothing else. */
function quoted(text: string): string {
  return printable(text, ' ').replaceAll(/[#&"<>\n]/g, (character) => `#${character.codePointAt(0)};`);
}

/** The causes as lines of text: each event once, below what it led to, the nearest first. */
export function whyLines({ nodes, edges }: WhyGraph): readonly string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const lines: string[] = [];
  const shown = new Set<string>();
  const waiting: (readonly [id: string, depth: number, relation?: Relation])[] = [[nodes[0]?.id ?? '', 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [id, depth, relation] = next;
    const node = byId.get(id);
    if (!node || shown.has(id)) continue;
    shown.add(id);
    const lead = relation === undefined ? '' : `${relation}: `;
    lines.push(
      `${'  '.repeat(Math.min(depth, MOST_DEPTH))}${lead}${node.type}  ${node.summary}  (${node.id})`,
    );
    const causes = edges.filter(({ from }) => from === id).toReversed();
    for (const edge of causes) waiting.push([edge.to, depth + 1, edge.relation]);
  }
  return lines;
}

/** Deeper lines are not indented further. */
const MOST_DEPTH = 30;
