import type { ActivityRegistry } from '#lib/workflow';
import type { Problem } from '#lib/kernel';
import type { CommandWriter } from '#lib/operations/core';
import { toolDecider } from '#lib/runs/tools/core';
import type { Agent } from './agent-definition.js';
import { namedParts } from './named-parts.rules.js';

/** The problems of an agent in this process: functions that are not registered here. */
export function missingFunctions(agent: Agent, activities: ActivityRegistry): readonly Problem[] {
  const calls = activities.named('function') as Preflight | undefined;
  return namedParts(agent).flatMap((part) => {
    const refused = 'fn' in part ? calls?.preflight({ fnName: part.fn, input: null }) : undefined;
    return refused ? [{ path: part.path, message: refused.message }] : [];
  });
}

/** The problems of an agent: tools that are not registered. */
export async function missingTools(agent: Agent, writer: CommandWriter): Promise<readonly Problem[]> {
  const named = namedParts(agent).filter((part) => 'toolId' in part);
  const states = await Promise.all(
    named.map(({ toolId }) => writer.state(toolDecider, { category: 'tool', id: toolId })),
  );
  return named.flatMap(({ path, toolId }, index) =>
    states[index] ? [] : [{ path, message: `names no registered tool: ${toolId}` }],
  );
}

interface Preflight {
  preflight(request: object): { readonly message: string } | undefined;
}
