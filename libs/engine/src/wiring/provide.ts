import type { FactoryProvider } from '@nestjs/common';

type Token = FactoryProvider['provide'];

/** A provider made by a function of what is injected, in this order. */
export function factory(
  provide: Token,
  inject: Token[],
  make: (...args: never[]) => unknown,
): FactoryProvider {
  return { provide, inject, useFactory: make as FactoryProvider['useFactory'] };
}

/** A provider of a class that knows nothing of Nest: made of what is injected, in this order. */
export function construct(type: new (...args: never[]) => unknown, inject: Token[]): FactoryProvider {
  return factory(type, inject, (...args: never[]) => new type(...args));
}
