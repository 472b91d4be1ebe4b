import type { SandboxObject, SandboxTrace } from '#lib/call-rules';
import type { Json } from '#lib/kernel';
import type { CodeObject } from './code.input.js';
import type { Iteration } from './iteration.rules.js';

/** A write that changed a property. */
export type Mutation = {
  readonly object: string;
  readonly property: string;
  readonly before: Json;
  readonly after: Json;
};

/** Objects in the form for the sandbox, without their descriptions. */
export function sandboxObjects(objects: readonly CodeObject[]): readonly SandboxObject[] {
  return objects.map(({ name, properties }) => ({
    name,
    properties: properties.map(({ description: _, ...property }) => property),
  }));
}

/** All writes of a run, in their order. */
export function mutationsIn(iterations: readonly Pick<Iteration, 'traces'>[]): Mutation[] {
  return iterations.flatMap(({ traces }) => traces.flatMap(mutationOf));
}

function mutationOf({ type, ...trace }: SandboxTrace): readonly Mutation[] {
  return type === 'property' ? [trace as Mutation] : [];
}
