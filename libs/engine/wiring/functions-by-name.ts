import type { ModulesContainer } from '@nestjs/core';
import { DuplicateFunction, type WorkflowFn } from '#lib/activities';
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
