import type { ModulesContainer } from '@nestjs/core';
import type { WorkflowFn } from '#lib/activities';
import { ENGINE_ACTOR, randomIds, RedialError } from '#lib/kernel';
import { commandContext, type CommandWriter } from '#lib/operations';
import { instancesIn } from './instances-in.js';
import { type DeclaredTool, toolsOf } from './redial-tool.decorator.js';
import { toolDecider } from './tools.decider.js';

/** Two methods declare a tool of the same id. Found at start. */
class DuplicateTool extends RedialError {}

/** The functions that tools name: those of the option `functions`, and methods with `@RedialTool`. */
export class ToolFunctions {
  readonly #methods = new Map<string, WorkflowFn>();

  constructor(
    private readonly registered: { readonly [name: string]: WorkflowFn },
    private readonly modules: ModulesContainer,
  ) {}

  names(): readonly string[] {
    return [...this.#methods.keys(), ...Object.keys(this.registered)];
  }

  named(fnName: string): WorkflowFn | undefined {
    const own = this.#methods.get(fnName);
    return own ?? (Object.hasOwn(this.registered, fnName) ? this.registered[fnName] : undefined);
  }

  /** Finds the methods that are tools. @throws DuplicateTool */
  find(): readonly DeclaredTool[] {
    const found: DeclaredTool[] = [];
    for (const instance of instancesIn(this.modules)) {
      for (const tool of toolsOf(instance)) {
        this.#add(tool, instance as { readonly [method: string]: WorkflowFn });
        found.push(tool);
      }
    }
    return found;
  }

  #add({ toolId, method }: DeclaredTool, instance: { readonly [method: string]: WorkflowFn }): void {
    if (this.#methods.has(toolId))
      throw new DuplicateTool(`tool ${toolId}`, 'two methods declare it', 'Give each its own toolId');
    this.#methods.set(toolId, (input, call) => instance[method]?.(input, call));
  }
}

/** Registers the methods that are tools, each in its next version if it has changed. No event bus is needed, because none has listeners yet. */
export async function registerDeclaredTools(functions: ToolFunctions, writer: CommandWriter): Promise<void> {
  for (const { toolId, description, parameters, policy = {} } of functions.find()) {
    const data = { toolId, description, parameters, execution: { fnName: toolId }, policy };
    const context = commandContext('registerTool', { actor: ENGINE_ACTOR }, randomIds);
    await writer.send(toolDecider, { category: 'tool', id: toolId }, { type: 'RegisterTool', data }, context);
  }
}
