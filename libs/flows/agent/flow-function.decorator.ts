import 'reflect-metadata';

/** A method with `@FlowFunction`, and the name of its function. */
interface DeclaredFunction {
  readonly fnName: string;
  readonly method: string;
}

const FUNCTIONS = Symbol('Redial flow functions');

/**
 * Registers a method of a provider as a function, like the option `functions`: agents name it as `{ "fn": "…" }`. A predicate or
 * a hook gets `{ data, context, session, history }` and the members of its place.
 */
export function FlowFunction(fnName: string): MethodDecorator {
  return (target, key) => {
    const declared = { fnName, method: String(key) };
    Reflect.defineMetadata(FUNCTIONS, [...flowFunctionsOf(target), declared], target);
  };
}

/** The functions among the methods of an object, with those of its superclasses. */
export function flowFunctionsOf(target: object): readonly DeclaredFunction[] {
  return (Reflect.getMetadata(FUNCTIONS, target) as readonly DeclaredFunction[] | undefined) ?? [];
}
