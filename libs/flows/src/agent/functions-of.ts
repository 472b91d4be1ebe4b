import type { ActivityRegistry } from '#lib/activity';
import { isJsonObject, type Problem } from '#lib/kernel';
import type { Agent } from './agent-definition.js';

/** The problems of an agent in this process: functions that it names and that are not registered here. */
export function missingFunctions(agent: Agent, activities: ActivityRegistry): readonly Problem[] {
  const calls = activities.named('function') as Preflight | undefined;
  return namedIn(agent, '').flatMap(({ path, fn }) => {
    const refused = calls?.preflight({ fnName: fn, input: null });
    return refused ? [{ path, message: refused.message }] : [];
  });
}

interface Preflight {
  preflight(request: object): { readonly message: string } | undefined;
}

const PREDICATES = ['if', 'skip'];
const PARTS = ['flows', 'steps', 'branches', 'instructions'];

function namedIn(value: unknown, base: string): readonly { readonly path: string; readonly fn: string }[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const list = Array.isArray(member) ? (member as readonly unknown[]) : [];
    if (PARTS.includes(name)) return list.flatMap((one, index) => namedIn(one, `${base}/${name}/${index}`));
    if (!PREDICATES.includes(name)) return [];
    return list.map((one, index) => ({
      path: `${base}/${name}/${index}/fn`,
      fn: (one as { readonly fn: string }).fn,
    }));
  });
}
