import { type FactoryProvider, Logger } from '@nestjs/common';
import { type PartToken, type Provided, type Token, token } from '#lib/operations';
import {
  type Activity,
  ActivityRegistry,
  type FactSources,
  type LeaseHolder,
  type Time,
} from '#lib/workflow';

/** Nest's token is the class: its type argument is known to these providers only. */
export const Activities = ActivityRegistry<Activity>;

/** The one `Time` of an engine: of its commands, timers, retries, leases and due times. */
export const TIME = token<Time>('Time');

/** The leases of this process. */
export const LEASES = token<LeaseHolder>('Leases');

/** The sources of the facts of runs. */
export const RUN_FACTS = token<FactSources>('RunFacts');

/** Warns in the process's log. */
export function warningsOf(context: string): (message: string) => void {
  const logger = new Logger(context);
  return (message) => logger.warn(message);
}

/** A provider made by a function of the injected providers, in this order. */
export function factory<const Tokens extends readonly PartToken[]>(
  provide: PartToken,
  inject: Tokens,
  make: (...provided: Provided<Tokens>) => unknown,
): FactoryProvider {
  return { provide, inject: [...inject], useFactory: make };
}

/** A provider of a class that does not use Nest: made of the injected providers, in this order. */
export function construct<const Tokens extends readonly PartToken[]>(
  type: new (...provided: Provided<Tokens>) => unknown,
  inject: Tokens,
): FactoryProvider {
  return factory(type, inject, (...provided) => new type(...provided));
}

type TokensOf<Parts> = {
  readonly [Name in keyof Parts]: Token<Parts[Name]> | (abstract new (...args: never[]) => Parts[Name]);
};

/**
 * A provider of a class that does not use Nest and takes its parts in one object: the injected providers by the name of the part.
 * @param given the parts that are not injected
 */
export function assemble<Parts extends object, Given extends Partial<Parts> = object>(
  type: new (parts: Parts) => unknown,
  tokens: TokensOf<Omit<Parts, keyof Given>>,
  given?: Given,
): FactoryProvider {
  const names = Object.keys(tokens);
  return factory(type, Object.values<PartToken>(tokens), (...injected) => {
    const parts = Object.fromEntries(names.map((name, index) => [name, injected[index]]));
    return new type({ ...given, ...parts } as Parts);
  });
}
