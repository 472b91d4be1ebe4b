import 'reflect-metadata';
import type { JsonObject } from '#lib/kernel';
import { type View, viewSchema } from '#lib/operations';
import type { ToolPolicy } from './tools.events.js';

/** The declaration of a method as a tool. */
export interface RedialToolOptions {
  readonly toolId: string;
  readonly description: string;
  /** Of the arguments: a class with class-validator decorators, or a JSON Schema of an object. */
  readonly parameters: View | JsonObject;
  readonly policy?: ToolPolicy;
}

/** A method with `@RedialTool`, and the tool that it is. */
export interface DeclaredTool extends Omit<RedialToolOptions, 'parameters'> {
  readonly parameters: JsonObject;
  readonly method: string;
}

const TOOLS = Symbol('Redial tools');

/**
 * Makes a method of a provider a tool: it is registered when the application starts, in its next version where it has changed.
 * It gets the arguments, and which call it is (`ToolFnCall`).
 */
export function RedialTool({ parameters, ...options }: RedialToolOptions): MethodDecorator {
  return (target, key) => {
    const schema =
      typeof parameters === 'function'
        ? { ...viewSchema(parameters), additionalProperties: false }
        : parameters;
    const tool: DeclaredTool = { ...options, parameters: schema as JsonObject, method: String(key) };
    Reflect.defineMetadata(TOOLS, [...toolsOf(target), tool], target);
  };
}

/** The tools that the methods of an object are, those of the classes that it extends included. */
export function toolsOf(target: object): readonly DeclaredTool[] {
  return (Reflect.getMetadata(TOOLS, target) as readonly DeclaredTool[] | undefined) ?? [];
}
