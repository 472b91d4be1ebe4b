import { IsNumber, Min } from 'class-validator';
import { Describe, IsWhole, Optional } from './fields.js';

/** Optional numbers that several operations and views have, declared as data. */
export interface Amounts {
  readonly [member: string]: { readonly about: string; readonly isWhole?: boolean };
}

/** Gives a class of inputs these members, each at least 0. @param note added to the description of each */
export function takeAmounts(type: Class, amounts: Amounts, note: string): void {
  for (const [name, { about, isWhole }] of Object.entries(amounts))
    declare(type, name, [...(isWhole ? [IsWhole()] : [IsNumber(), Min(0)]), described(about, note)]);
}

type Class = abstract new () => object;

function described(about: string, note: string | undefined): PropertyDecorator {
  return Describe(note === undefined ? about : `${about}: ${note}`);
}

function declare({ prototype }: Class, name: string, decorators: readonly PropertyDecorator[]): void {
  for (const decorate of [Optional(), ...decorators]) decorate(prototype as object, name);
}
