import 'reflect-metadata';
import { type JsonObject, RedialError } from '#lib/kernel';
import { type View, viewSchema } from '#lib/operations';
import type { ToolPolicy } from './tools.events.js';

/** The declaration of a method as a tool. */
export interface RedialToolOptions {
  readonly toolId: string;
  readonly description: string;
  /** The arguments: a class with class-validator decorators, or a JSON Schema of an object. */
  readonly parameters: View | JsonObject;
  readonly policy?: ToolPolicy;
}

/** A method with `@RedialTool`, and its tool. */
export interface DeclaredTool extends Omit<RedialToolOptions, 'parameters'> {
  readonly parameters: JsonObject;
  readonly method: string;
}

const TOOLS = Symbol('Redial tools');

/** The class of a tool's arguments declares no properties. Found when the class of the tool is loaded. */
class UndeclaredArguments extends RedialError {}

/**
 * Makes a method of a provider a tool. The tool is registered when the application starts, in its next version if it has changed. The method gets the
 * arguments, and the name of the call (`ToolFnCall`).
 * @throws UndeclaredArguments for a class without decorated properties
 */
export function RedialTool({ parameters, ...options }: RedialToolOptions): MethodDecorator {
  return (target, key) => {
    const schema = typeof parameters === 'function' ? schemaOf(options.toolId, parameters) : parameters;
    const tool: DeclaredTool = { ...options, parameters: schema, method: String(key) };
    Reflect.defineMetadata(TOOLS, [...toolsOf(target), tool], target);
  };
}

/** Members that the class does not declare are refused, so a class without properties would refuse every call with arguments. */
function schemaOf(toolId: string, type: View): JsonObject {
  const schema = viewSchema(type);
  if (Object.keys(schema.properties).length > 0)
    return { ...schema, additionalProperties: false } as JsonObject;
  const fix = 'Add decorators such as @IsInt() to its properties, or give a JSON Schema';
  const why = 'the class of its parameters has no property with a decorator of class-validator';
  throw new UndeclaredArguments(`tool ${toolId}`, why, fix);
}

/** The tools of an object's methods, with those of the classes that it extends. */
export function toolsOf(target: object): readonly DeclaredTool[] {
  return (Reflect.getMetadata(TOOLS, target) as readonly DeclaredTool[] | undefined) ?? [];
}
