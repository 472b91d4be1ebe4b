import { isJsonObject, type Json, type JsonObject, jsonText, ownMember } from '#lib/kernel';
import type { ToolFact } from '#lib/runs/tools/core';
import type { CodeInput, CodeObject, NamedTool, ToolUse } from './code.input.js';

/** An async function of programs. */
export interface Callable {
  /** `name`, or `object.name`. */
  readonly path: string;
  readonly tool: ToolFact;
  /** Arguments that each call has. */
  readonly inputs: JsonObject;
}

/** All functions of programs, in the order of the input. */
export function callablesOf(
  { tools, objects = [] }: Pick<CodeInput, 'tools' | 'objects'>,
  facts: readonly ToolFact[],
): readonly Callable[] {
  return [
    ...tools.flatMap((use) => callablesNamed('', use, facts)),
    ...objects.flatMap((object) => callablesOfObject(object, facts)),
  ];
}

function callablesOfObject(
  { name, tools = [] }: CodeObject,
  facts: readonly ToolFact[],
): readonly Callable[] {
  return tools.flatMap((use) => callablesNamed(`${name}.`, use, facts));
}

function callablesNamed(prefix: string, use: ToolUse, facts: readonly ToolFact[]): readonly Callable[] {
  const { toolId, inputs = {} } = namedTool(use);
  const tool = facts.find((fact) => fact.toolId === toolId);
  if (!tool) return [];
  return namesOf(use).map((name) => ({ path: `${prefix}${name}`, tool, inputs }));
}

function namedTool(use: ToolUse): NamedTool {
  return typeof use === 'string' ? { toolId: use } : use;
}

/** The names of a tool's function, with the aliases last. */
export function namesOf(use: ToolUse): readonly string[] {
  const { toolId, name = toolId, aliases = [] } = namedTool(use);
  return [name, ...aliases];
}

/** The function as programs see it in a run with citations: the sources of its result are tags. */
export function withTags({ tool, ...callable }: Callable): Callable {
  const properties = ownMember(tool.result ?? {}, 'properties');
  if (!isJsonObject(properties) || !Object.hasOwn(properties, 'sources')) return { ...callable, tool };
  const sources = { type: 'array', items: { type: 'string' }, description: 'tags' };
  return {
    ...callable,
    tool: { ...tool, result: { ...tool.result, properties: { ...properties, sources } } },
  };
}

/** The arguments that a program gave, with those that it cannot change. */
export function argumentsText(input: Json, callable: Callable | undefined): string {
  return jsonText(isJsonObject(input) && callable ? { ...input, ...callable.inputs } : input);
}

/** The JSON Schema of the arguments that a program gives. */
export function parametersOf({
  tool: { parameters },
  inputs,
}: Pick<Callable, 'tool' | 'inputs'>): JsonObject {
  const isOpen = (name: string) => !Object.hasOwn(inputs, name);
  const { properties, required } = parameters;
  return {
    ...parameters,
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isOpen(name))),
    }),
    ...(Array.isArray(required) && { required: (required as readonly string[]).filter(isOpen) }),
  };
}
