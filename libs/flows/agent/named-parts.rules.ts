import { isJsonObject } from '#lib/kernel';
import type { Agent, AgentInput } from './agent-definition.js';

/** A function, a tool or an expression in an agent, with its JSON pointer. */
type NamedPart = { readonly path: string } & (
  | { readonly fn: string }
  | { readonly toolId: string }
  | { readonly expr: string }
);

/** Members with further parts of an agent. */
const PARTS = [
  'flows',
  'steps',
  'branches',
  'instructions',
  'signals',
  'tools',
  'hooks',
  'then',
  'injectTools',
];
const LISTS_OF_TOOLS = ['tools', 'injectTools'];
/** Members that name a function. A hook may name a tool in its place. */
const PREDICATES = ['if', 'skip', 'validateInput', 'checkPermissions'];
const HOOKS = ['onEnter', 'onExit', 'onComplete', 'onDataUpdate', 'onContextUpdate', 'prepare', 'finalize'];
const TOOLS = [...HOOKS, 'beforeRespond', 'handler', 'tool'];

/** All functions, tools and expressions in an agent, in the order of its definition. */
export function namedParts(agent: Agent | AgentInput): readonly NamedPart[] {
  return partsOf(agent, '');
}

/** The ids of all tools in an agent. */
export function toolIdsOf(agent: Agent): readonly string[] {
  return [...new Set(namedParts(agent).flatMap((part) => ('toolId' in part ? [part.toolId] : [])))];
}

function partsOf(value: unknown, base: string): readonly NamedPart[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = `${base}/${name}`;
    if (PREDICATES.includes(name) || TOOLS.includes(name))
      return listed(member, path).flatMap((one) => [...namesIn(one), ...partsOf(one.value, one.path)]);
    if (!PARTS.includes(name)) return [];
    return listed(member, path).flatMap((one) =>
      LISTS_OF_TOOLS.includes(name) && typeof one.value === 'string'
        ? namesIn(one)
        : partsOf(one.value, one.path),
    );
  });
}

interface Placed {
  readonly value: unknown;
  readonly path: string;
}

function listed(member: unknown, path: string): readonly Placed[] {
  if (!Array.isArray(member)) return [{ value: member, path }];
  return member.map((value: unknown, index) => ({ value, path: `${path}/${index}` }));
}

function namesIn({ value, path }: Placed): readonly NamedPart[] {
  if (typeof value === 'string') return [{ path, toolId: value }];
  const { fn, expr } = isJsonObject(value) ? value : {};
  if (typeof expr === 'string') return [{ path: `${path}/expr`, expr }];
  return typeof fn === 'string' ? [{ path: `${path}/fn`, fn }] : [];
}
