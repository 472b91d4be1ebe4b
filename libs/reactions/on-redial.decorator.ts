import 'reflect-metadata';

/** A method with `@OnRedial`. */
export interface DeclaredReaction {
  readonly name: string;
  /** The recorded type of the events. */
  readonly type: string;
  readonly method: string;
}

const REACTIONS = Symbol('Redial reactions');

/**
 * Calls a method of a provider with each event of a recorded type, at least once, in order for each session, run or conversation. It gets
 * the event and `{ key }`: an idempotency key for the commands that it sends, the same each time the event comes. If it throws, the
 * event comes again after a pause, and is parked in the end.
 * @param options the name under which the log keeps how far the reaction has come: it stays when the code moves
 */
export function OnRedial(type: string, { name }: { readonly name: string }): MethodDecorator {
  return (target, key) => {
    const declared = { name, type, method: String(key) };
    Reflect.defineMetadata(REACTIONS, [...reactionsOf(target), declared], target);
  };
}

/** The reactions that the methods of an object are, those of the classes that it extends included. */
export function reactionsOf(target: object): readonly DeclaredReaction[] {
  return (Reflect.getMetadata(REACTIONS, target) as readonly DeclaredReaction[] | undefined) ?? [];
}
