import 'reflect-metadata';

/** A method with `@FlowFunction`, and the name of the function that it is. */
interface DeclaredFunction {
  readonly fnName: string;
  readonly method: string;
}

const FUNCTIONS = Symbol('Redial flow functions');

/**
 * Makes a method of a provider a registered function, as the option `functions` does: agents name it as `{ "fn": "…" }`.
 * A predicate or a hook gets `{ data, context, session, history }` and what its place adds.
 */
export function FlowFunction(fnName: string): MethodDecorator {
  return (target, key) => {
    const declared = { fnName, method: String(key) };
    Reflect.defineMetadata(FUNCTIONS, [...flowFunctionsOf(target), declared], target);
  };
}

/** The functions that the methods of an object are, those of the classes that it extends included. */
export function flowFunctionsOf(target: object): readonly DeclaredFunction[] {
  return (Reflect.getMetadata(FUNCTIONS, target) as readonly DeclaredFunction[] | undefined) ?? [];
}
