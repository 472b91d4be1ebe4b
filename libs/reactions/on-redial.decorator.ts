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
 * the event and `{ key }`: an idempotency key for the commands that it sends, the same for each delivery of the event. If it throws, the
 * event is delivered again after a pause, and is parked in the end.
 * @param options the name under which the log keeps the place of the reaction: the name must stay when the code moves
 */
export function OnRedial(type: string, { name }: { readonly name: string }): MethodDecorator {
  return (target, key) => {
    const declared = { name, type, method: String(key) };
    Reflect.defineMetadata(REACTIONS, [...reactionsOf(target), declared], target);
  };
}

/** The reactions of the methods of an object, those of the classes that it extends included. */
export function reactionsOf(target: object): readonly DeclaredReaction[] {
  return (Reflect.getMetadata(REACTIONS, target) as readonly DeclaredReaction[] | undefined) ?? [];
}
