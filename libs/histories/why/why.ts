import type { EventLog, Position } from '#lib/event-store';
import { oneLine, printable, reject, type RecordedEvent, type Rejection } from '#lib/kernel';
import { summaryOf } from '#lib/summaries';
import { mergedEvents, type RunsAsked } from '#lib/workflow';
import { causesOf, keysOf, type Relation } from './causes.rules.js';
import type { Why, WhyEdge, WhyNode } from './why.views.js';

/** The most edges and keys held in memory while a stream is read. */
const MOST_HELD = 200_000;

/** The most nodes of an answer. A summary is one line, so this bounds the bytes too. */
const MOST_NODES = 5000;
const MOST_EDGES = 20_000;
const LONGEST_SUMMARY = 500;

/**
 * An event of a stream, and its causes in the stream and in the runs that it asks for: the nearest, if an answer cannot hold all.
 * The events are read twice: memory holds only the places of events that are no cause.
 * @param target of the stream
 */
export async function whyOf(
  log: EventLog,
  stream: string,
  asked: RunsAsked,
  target: RecordedEvent,
): Promise<Why | Rejection> {
  const past = log.upTo(target.position as Position);
  const causes = await causesBefore(past, stream, asked);
  if ('rejected' in causes) return causes;
  const { reached, ...found } = nearest(causes, idOf(target));
  const nodes: WhyNode[] = [nodeOf(target)];
  for await (const { event } of mergedEvents(past, [stream], asked))
    if (reached.has(idOf(event)) && idOf(event) !== idOf(target)) nodes.push(nodeOf(event));
  return { nodes, ...found };
}

type Causes = ReadonlyMap<string, readonly WhyEdge[]>;

/** The causes of every event. */
async function causesBefore(log: EventLog, stream: string, asked: RunsAsked): Promise<Causes | Rejection> {
  /** The newest event of each key. */
  const byKey = new Map<string, string>();
  const causes = new Map<string, readonly WhyEdge[]>();
  let held = 0;
  for await (const { event } of mergedEvents(log, [stream], asked)) {
    const from = idOf(event);
    const edges = edgesFrom(from, event, byKey, causes);
    const keys = keysOf(event);
    if ((held += edges.length + keys.length) > MOST_HELD) return tooManyEvents(stream, from);
    causes.set(from, edges);
    for (const key of keys) byKey.set(key, from);
  }
  return causes;
}

function nearest(
  causes: Causes,
  target: string,
): Omit<Why, 'nodes'> & { readonly reached: ReadonlySet<string> } {
  const edges: WhyEdge[] = [];
  const reached = new Set([target]);
  let left = 0;
  for (const id of reached) {
    for (const edge of causes.get(id) ?? []) {
      const isNew = !reached.has(edge.to);
      if (edges.length === MOST_EDGES || (isNew && reached.size === MOST_NODES)) left += 1;
      else {
        edges.push(edge);
        reached.add(edge.to);
      }
    }
  }
  return { edges, reached, ...(left > 0 && { leftOff: left }) };
}

function tooManyEvents(stream: string, at: string): Rejection {
  return reject('refused', 'why-too-large', {
    what: `the causes in ${stream}`,
    why: `up to ${at} there are more than ${MOST_HELD} references between its events and those of its runs`,
    fix: 'Ask for an earlier event by its revision',
  });
}

/** `start` is the cause of an event without another. `before` is left out if another cause has that cause itself. */
function edgesFrom(
  from: string,
  event: RecordedEvent,
  byKey: ReadonlyMap<string, string>,
  causes: Causes,
): readonly WhyEdge[] {
  const edges: WhyEdge[] = [];
  for (const { key, relation } of causesOf(event)) {
    const to = byKey.get(key);
    if (to === undefined || to === from || edges.some((edge) => edge.to === to)) continue;
    if (relation === 'start' && edges.length > 0) continue;
    const isNamed = (edge: WhyEdge) => causes.get(edge.to)?.some((one) => one.to === to);
    if (relation === 'before' && edges.some(isNamed)) continue;
    edges.push({ from, to, relation });
  }
  return edges;
}

function idOf({ stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>): string {
  return `${stream}@${revision}`;
}

function nodeOf(event: RecordedEvent): WhyNode {
  const { stream, revision, type, occurredAt } = event;
  return {
    id: idOf(event),
    stream,
    revision,
    type,
    occurredAt,
    summary: oneLine(summaryOf(event), LONGEST_SUMMARY),
  };
}

/** The causes as a Mermaid flowchart, from the first ones to the event. */
export function whyDiagram({ nodes, edges }: Why): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const boxes = nodes.map(
    ({ id, type, summary }) => `  ${names.get(id)}["${quoted(`${type}: ${summary}`)}"]`,
  );
  const arrows = edges.map(
    ({ from, to, relation }) => `  ${names.get(to)} -->|${relation}| ${names.get(from)}`,
  );
  return ['flowchart TD', ...boxes, ...arrows, ''].join('\n');
}

/** Mermaid reads entities within quotes, and no other escape. */
function quoted(text: string): string {
  return printable(text, ' ').replaceAll(/[#&"<>\n]/g, (character) => `#${character.codePointAt(0)};`);
}

/** The causes as lines of text: each event once, below its effect, the nearest first. */
export function whyLines({ nodes, edges, leftOff }: Why): readonly string[] {
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
  return leftOff === undefined
    ? lines
    : [...lines, `${leftOff} references to causes farther away are left out`];
}

/** Deeper lines are not indented further. */
const MOST_DEPTH = 30;
