import type { Type } from '@nestjs/common';
import type { AnswerOf, InputOf, Operation, OperationClass } from '../declare/operation.js';
import type { WholeName } from '../declare/definition.js';
import type { CommandOptions } from '../write-side/command-context.js';
import type { Dispatcher } from './dispatcher.js';

type Method<C extends OperationClass> = [WholeName<InputOf<C>>] extends [never]
  ? MethodOfFields<C>
  : (definition: InputOf<C>[WholeName<InputOf<C>>], options?: CommandOptions) => Promise<AnswerOf<C>>;

type MethodOfFields<C extends OperationClass> =
  object extends InputOf<C>
    ? (input?: InputOf<C>, options?: CommandOptions) => Promise<AnswerOf<C>>
    : (input: InputOf<C>, options?: CommandOptions) => Promise<AnswerOf<C>>;

/** A method for each operation of a module of operations, named as the operation. */
export type Facade<Module> = {
  readonly [
    Name in keyof Module as Module[Name] extends OperationClass ? Uncapitalize<Extract<Name, string>> : never
  ]: Module[Name] extends OperationClass ? Method<Module[Name]> : never;
};

/** The methods that `Facade` names. */
export function facadeOf(dispatcher: Dispatcher, operations: readonly Operation[]): object {
  const method =
    ({ type, whole }: Operation) =>
    async (input: object = {}, options: CommandOptions = {}) =>
      (await dispatcher.dispatch(type, whole === undefined ? input : { [whole]: input }, options)).value;
  return Object.fromEntries(operations.map((operation) => [operation.id, method(operation)]));
}

/** The metadata key under which @nestjs/cqrs keeps, on a handler class, the command or query that it handles. */
export const HANDLED = ['__commandHandler__', '__queryHandler__'] as const;

/** The handlers among the exports of a module of operations: providers of Nest. */
export function handlersIn(exports: object): readonly Type[] {
  return Object.values(exports).filter(
    (value: unknown): value is Type =>
      typeof value === 'function' && HANDLED.some((key) => Reflect.hasOwnMetadata(key, value)),
  );
}
