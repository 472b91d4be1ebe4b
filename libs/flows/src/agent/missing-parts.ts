import type { ActivityRegistry } from '#lib/activity';
import { isJsonObject, type Problem } from '#lib/kernel';
import type { CommandWriter } from '#lib/operations';
import { toolDecider } from '#lib/tools/core';
import type { Agent } from './agent-definition.js';

/** The problems of an agent in this process: functions that it names and that are not registered here. */
export function missingFunctions(agent: Agent, activities: ActivityRegistry): readonly Problem[] {
  const calls = activities.named('function') as Preflight | undefined;
  return namedIn(agent, '').flatMap(({ path, fn }) => {
    const refused = calls?.preflight({ fnName: fn, input: null });
    return refused ? [{ path, message: refused.message }] : [];
  });
}

/** Tools that it names and that nobody has registered. */
export async function missingTools(agent: Agent, writer: CommandWriter): Promise<readonly Problem[]> {
  const named = [
    ...toolsAt('', agent),
    ...agent.flows.flatMap((flow, index) => [
      ...toolsAt(`/flows/${index}`, flow),
      ...flow.steps.flatMap((step, at) => toolsAt(`/flows/${index}/steps/${at}`, step)),
    ]),
  ];
  const states = await Promise.all(
    named.map(({ toolId }) => writer.state(toolDecider, { category: 'tool', id: toolId })),
  );
  return named.flatMap(({ path, toolId }, index) =>
    states[index] ? [] : [{ path, message: `names no registered tool: ${toolId}` }],
  );
}

function toolsAt(base: string, { tools = [] }: { readonly tools?: readonly string[] }) {
  return tools.map((toolId, index) => ({ path: `${base}/tools/${index}`, toolId }));
}

interface Preflight {
  preflight(request: object): { readonly message: string } | undefined;
}

const PREDICATES = ['if', 'skip'];
const HANDLERS = ['handler', 'prepare', 'finalize'];
const PARTS = ['flows', 'steps', 'branches', 'instructions', 'signals'];

function namedIn(value: unknown, base: string): readonly { readonly path: string; readonly fn: string }[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const list = Array.isArray(member) ? (member as readonly unknown[]) : [];
    if (PARTS.includes(name)) return list.flatMap((one, index) => namedIn(one, `${base}/${name}/${index}`));
    if (HANDLERS.includes(name)) {
      const fn = isJsonObject(member) ? member['fn'] : undefined;
      return typeof fn === 'string' ? [{ path: `${base}/${name}/fn`, fn }] : [];
    }
    if (!PREDICATES.includes(name)) return [];
    return list.map((one, index) => ({
      path: `${base}/${name}/${index}/fn`,
      fn: (one as { readonly fn: string }).fn,
    }));
  });
}
