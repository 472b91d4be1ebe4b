import type { EventLog } from '#lib/event-store';
import { isJsonObject, type Json, type Rejection, reject } from '#lib/kernel';
import { toolDecider } from './tools.decider.js';
import type { ToolEvent } from './tools.events.js';

/**
 * The fact `tools` of a run: the tools that its input names in `tools`, in `exits` and in `tools` of `objects`, by their ids or as
 * `{ toolId }`, in their newest versions. A run keeps the versions that it began with.
 */
export class ToolFacts {
  constructor(private readonly log: EventLog) {}

  async of(input: Json): Promise<Json | Rejection> {
    const ids = namedIn(input);
    const found = await Promise.all(ids.map((toolId) => this.#newest(toolId)));
    const missing = ids.filter((_, index) => found[index] === undefined);
    return missing.length > 0 ? unknownTools(missing) : (found as Json[]);
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
