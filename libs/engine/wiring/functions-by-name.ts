import type { ModulesContainer } from '@nestjs/core';
import { DuplicateFunction, type InPlace, type WorkflowFn } from '#lib/activities';
import { flowFunctionsOf } from '#lib/flows';
import { instancesIn } from '#lib/runs/tools';

/** The functions of a process: those of the option `functions`, and methods with `@FlowFunction` once it has started. */
export class FunctionsByName {
  readonly all: { [fnName: string]: WorkflowFn };

  constructor(
    registered: { readonly [fnName: string]: WorkflowFn },
    private readonly modules: ModulesContainer,
  ) {
    this.all = { ...registered };
  }

  /**
   * The definition for the log, with names in place of functions. The functions are registered in place of earlier ones; if the log refuses
   * the definition, the earlier ones stay, unless another call has replaced them meanwhile.
   */
  async inPlace<T, Answer>(
    { definition, functions }: InPlace<T>,
    define: (definition: T) => Promise<Answer>,
  ): Promise<Answer> {
    const before = { ...this.all };
    Object.assign(this.all, functions);
    try {
      return await define(definition);
    } catch (error) {
      for (const [name, own] of Object.entries(functions))
        if (this.all[name] === own) this.#restore(name, before[name]);
      throw error;
    }
  }

  #restore(name: string, before: WorkflowFn | undefined): void {
    if (before) this.all[name] = before;
    else delete this.all[name];
  }

  /** Finds the methods. @throws DuplicateFunction */
  find(): void {
    for (const instance of instancesIn(this.modules)) {
      for (const { fnName, method } of flowFunctionsOf(instance)) {
        if (Object.hasOwn(this.all, fnName)) throw new DuplicateFunction('function', fnName);
        const methods = instance as { readonly [method: string]: WorkflowFn };
        this.all[fnName] = (input, call) => methods[method]?.(input, call);
      }
    }
  }
}
