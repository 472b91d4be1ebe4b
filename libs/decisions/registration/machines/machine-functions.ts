import type { ArbiterFn } from '#lib/decisions/arbitration';
import type { MachineInput, SpecialistDeclaration, StateInput } from '#lib/decisions/machines';
import type { ContextFn, StrategyFn } from '#lib/decisions/solicitation';
import { specialistStreamId } from '#lib/decisions/specialists';
import { isJsonObject, type Json, type JsonObject, reject } from '#lib/kernel';
import type { Whole } from '#lib/operations';
import { refuse } from '#lib/operations/core';

type Declared<Role, Fn> = Omit<SpecialistDeclaration, 'role' | 'strategyFnName' | 'contextFnName'> & {
  readonly role: Role;
  readonly strategyFnName?: string | Fn;
  readonly contextFnName?: string | ContextFn;
};

/** A specialist in a machine of code: a function may replace its name. */
type DeclaredWithFunctions = Declared<'proposer', StrategyFn> | Declared<'arbiter', ArbiterFn>;

interface Specialists {
  readonly specialists?: readonly DeclaredWithFunctions[];
}

/** A machine of code: functions may replace their names. Each gets the name `<machine>/<specialist>`. */
type MachineWithFunctions = Omit<MachineInput, 'specialists' | 'states'> &
  Specialists & {
    readonly states: { readonly [name: string]: Omit<StateInput, 'specialists'> & Specialists };
  };

/** A machine as code defines it. */
export type MachineInputOfCode = Whole<MachineInput> | MachineWithFunctions;

/** The functions of a specialist, under their name in the log. */
export interface NamedFunctions {
  readonly name: string;
  readonly role: unknown;
  readonly strategyFnName?: StrategyFn & ArbiterFn;
  readonly contextFnName?: ContextFn;
}

/**
 * The machine with names in place of its functions, and the functions. A malformed part stays, and is refused later.
 * @throws RejectionError if a specialist has two different functions for one purpose
 */
export function withNames(input: unknown): { machine: unknown; functions: readonly NamedFunctions[] } {
  const known = new Map<string, NamedFunctions>();
  if (!isJsonObject(input) || typeof input['machineName'] !== 'string')
    return { machine: input, functions: [] };
  const { machineName, states } = input;
  const named = (owner: Json | undefined) => withoutFunctions(machineName, owner, known);
  const whole = named(input) as JsonObject;
  if (!isJsonObject(states)) return { machine: whole, functions: [...known.values()] };
  const entries = Object.entries(states).map(([name, state]) => [name, named(state)]);
  return { machine: { ...whole, states: Object.fromEntries(entries) }, functions: [...known.values()] };
}

/** The machine or state without functions, which are added to `known`. */
function withoutFunctions(
  machineName: string,
  owner: Json | undefined,
  known: Map<string, NamedFunctions>,
): Json | undefined {
  if (!isJsonObject(owner) || !Array.isArray(owner['specialists'])) return owner;
  const specialists = (owner['specialists'] as readonly Json[]).map((one) => {
    if (!isJsonObject(one) || typeof one['specialistId'] !== 'string') return one;
    const found = Object.entries(one).filter(([member, value]) => isFunction(member, value));
    if (found.length === 0) return one;
    const name = specialistStreamId({ machineName, specialistId: one['specialistId'] });
    known.set(
      name,
      together(name, known.get(name), { ...Object.fromEntries(found), name, role: one['role'] }),
    );
    return { ...one, ...Object.fromEntries(found.map(([member]) => [member, name])) };
  });
  return { ...owner, specialists };
}

function isFunction(member: string, value: unknown): boolean {
  return typeof value === 'function' && (member === 'strategyFnName' || member === 'contextFnName');
}

/** Merges the functions of two entries of one specialist. */
function together(name: string, before: NamedFunctions | undefined, own: NamedFunctions): NamedFunctions {
  const { strategyFnName: strategy = own.strategyFnName, contextFnName: context = own.contextFnName } =
    before ?? {};
  if (own.strategyFnName && own.strategyFnName !== strategy) refuse(twoFunctions(name, 'strategyFnName'));
  if (own.contextFnName && own.contextFnName !== context) refuse(twoFunctions(name, 'contextFnName'));
  return { ...before, ...own };
}

function twoFunctions(name: string, member: string) {
  return reject('refused', 'two-functions', {
    what: `specialist ${name}`,
    why: `the machine declares it with two different functions as ${member}`,
    fix: 'Declare it with one function, or two specialists',
  });
}
