import type { EventLog } from '#lib/event-store';
import { isJsonObject, type Json, type Rejection, reject } from '#lib/kernel';
import type { FactSources } from '#lib/workflow';
import { isCreatorNeeded } from './needs-approval.rules.js';
import type { ToolFact } from './tool-arguments.rules.js';
import { toolDecider } from './tools.decider.js';
import type { ToolEvent } from './tools.events.js';

type Start = NonNullable<Parameters<FactSources[string]>[2]>;

/**
 * The fact `tools` of a run: the tools that its input names in `tools`, in `exits` and in `tools` of `objects`, by their ids or as `{ toolId }`, in
 * their newest versions. A run keeps the versions that it began with, and so does its fork.
 */
export class ToolFacts {
  constructor(private readonly log: EventLog) {}

  /** A run that a caller starts is refused if its creator is excluded and unknown; in other runs the calls fail. */
  async of(input: Json, start: Start = {}): Promise<Json | Rejection> {
    const ids = namedIn(input);
    const kept = (start.kept ?? []) as object as readonly ToolFact[];
    const found = await Promise.all(
      ids.map(async (toolId) => kept.find((one) => one.toolId === toolId) ?? this.#newest(toolId)),
    );
    const missing = ids.filter((_, index) => found[index] === undefined);
    if (missing.length > 0) return unknownTools(missing);
    const tools = found.filter((tool) => tool !== undefined);
    const isLacking = ({ policy }: ToolFact) => start.by === undefined && isCreatorNeeded(policy);
    const lacking = tools.find(isLacking);
    if (lacking && !start.owner) return creatorUnknown(lacking.toolId);
    const facts: readonly ToolFact[] = tools.map((tool) =>
      isLacking(tool) ? { ...tool, creatorUnknown: true } : tool,
    );
    return facts;
  }

  async #newest(toolId: string) {
    const stream = this.log.streams.of('tool', toolId);
    return (await this.log.load<ToolEvent>(stream)).state(toolDecider);
  }
}

function namedIn(input: Json): readonly string[] {
  const { tools, exits, objects } = isJsonObject(input) ? input : {};
  const ofObjects = listOf(objects).flatMap((object) =>
    isJsonObject(object) ? listOf(object['tools']) : [],
  );
  const ids = [...listOf(tools), ...listOf(exits), ...ofObjects].map((entry) =>
    isJsonObject(entry) ? entry['toolId'] : entry,
  );
  return [...new Set(ids.filter((one) => typeof one === 'string'))];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function unknownTools(toolIds: readonly string[]): Rejection {
  const text = {
    what: `tools ${toolIds.join(', ')}`,
    why: 'no tool is registered under these ids',
    fix: 'Check the ids, or register the tools first',
  };
  return reject('refused', 'unknown-tool', text);
}

function creatorUnknown(toolId: string): Rejection {
  const text = {
    what: 'the run',
    why: `its creator may not allow calls of ${toolId}, and the caller is no person`,
    fix: "Start it with a person's own token",
  };
  return reject('refused', 'creator-unknown', text);
}
