import type { FactoryProvider } from '@nestjs/common';

type Token = FactoryProvider['provide'];

/** A provider made by a function of the injected providers, in this order. */
export function factory(
  provide: Token,
  inject: Token[],
  make: (...args: never[]) => unknown,
): FactoryProvider {
  return { provide, inject, useFactory: make as FactoryProvider['useFactory'] };
}

/** A provider of a class that does not use Nest and takes its parts in one object: the injected providers by the name of the part. */
export function assemble<Parts extends object>(
  type: new (parts: Parts) => unknown,
  tokens: { readonly [Name in keyof Parts]: Token },
): FactoryProvider {
  const names = Object.keys(tokens);
  return factory(type, Object.values(tokens), (...injected: never[]) => {
    return new type(Object.fromEntries(names.map((name, index) => [name, injected[index]])) as Parts);
  });
}

/** A provider of a class that does not use Nest: made of the injected providers, in this order. */
export function construct(type: new (...args: never[]) => unknown, inject: Token[]): FactoryProvider {
  return factory(type, inject, (...args: never[]) => new type(...args));
}
