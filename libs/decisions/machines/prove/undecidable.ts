import { ownMember } from '#lib/kernel';
import type { MachineDefinition, SpecialistDeclaration, StateDefinition } from '../machine-definition.js';
import { isAtRest, peopleOf, transitionsOf } from '../machine-reading.js';

/** A state that no declared specialist and no timer can decide. */
export interface UndecidableState {
  readonly state: string;
  readonly why: string;
}

/**
 * The states that cannot be decided with the declared specialists: no person among them, no candidates in the definition, no
 * timer, and proposers without a possible quorum or trust.
 */
export function undecidableStates(machine: MachineDefinition): readonly UndecidableState[] {
  const ofMachine = takingPart(machine.specialists);
  const decidedByPeople = peopledScopes(machine, ofMachine);
  return Object.entries(machine.states).flatMap(([state, definition]) => {
    const part = inState(definition, ofMachine);
    if (isAtRest(machine, state) || hasTimer(machine, state) || hasPeople(machine, state, part)) return [];
    const why =
      whyNobodyMay(machine, state) ??
      whyNoQuorum(machine, definition, part) ??
      whyNoTrust(machine, definition, part, decidedByPeople);
    return why === undefined ? [] : [{ state, why }];
  });
}

/** The specialists of a scope, by role. */
interface TakingPart {
  readonly proposers: readonly SpecialistDeclaration[];
  readonly arbiters: readonly SpecialistDeclaration[];
}

function takingPart(declared: readonly SpecialistDeclaration[] = []): TakingPart {
  return {
    proposers: declared.filter(({ role }) => role === 'proposer'),
    arbiters: declared.filter(({ role }) => role === 'arbiter'),
  };
}

/** For each role the specialists of the state, else those of the machine. */
function inState({ specialists }: StateDefinition, ofMachine: TakingPart): TakingPart {
  if (!specialists) return ofMachine;
  const own = takingPart(specialists);
  return {
    proposers: own.proposers.length > 0 ? own.proposers : ofMachine.proposers,
    arbiters: own.arbiters.length > 0 ? own.arbiters : ofMachine.arbiters,
  };
}

function hasPeople(machine: MachineDefinition, state: string, part: TakingPart): boolean {
  const { groups = [], people = [] } = peopleOf(machine, state) ?? {};
  const humans = [...part.proposers, ...part.arbiters].filter((one) => one.isHuman && !one.disabled);
  return groups.length + people.length + humans.length > 0;
}

function hasTimer(machine: MachineDefinition, state: string): boolean {
  const { after = [] } = ownMember(machine.states, state) ?? {};
  return after.length > 0 || peopleOf(machine, state)?.onExpiry !== undefined;
}

function whyNobodyMay(machine: MachineDefinition, state: string): string | undefined {
  const all = Object.values(transitionsOf(machine, state));
  if (!all.every(({ needsPerson }) => needsPerson === true)) return undefined;
  return 'every transition needs a person, and no person, candidate or timer is declared';
}

function whyNoQuorum(machine: MachineDefinition, state: StateDefinition, { proposers }: TakingPart) {
  const quorum = state.quorum ?? machine.quorum;
  const enabled = proposers.filter(({ disabled }) => !disabled).length;
  if (quorum === undefined || quorum <= enabled) return undefined;
  return `the quorum ${quorum} is above the ${enabled} declared proposers, and no person, candidate or timer is declared`;
}

/** Comparisons come only from decisions of people: in the state, if it declares its specialists, else in all other states. */
function whyNoTrust(
  machine: MachineDefinition,
  state: StateDefinition,
  { proposers, arbiters }: TakingPart,
  decidedByPeople: boolean,
): string | undefined {
  const ofArbiter = arbiters.find(({ disabled }) => !disabled)?.trust;
  const { minComparisons = 0, minAlignment = 0 } = state.trust ?? machine.trust ?? ofArbiter ?? {};
  const isAsked = minComparisons > 0 || minAlignment > 0;
  const canEarn = state.specialists === undefined && decidedByPeople;
  if (!isAsked || canEarn || proposers.length === 0) return undefined;
  return 'its trust policy needs comparisons with people, and no person decides where its proposers are compared';
}

/** Whether people decide in some state with the machine's proposers. */
function peopledScopes(machine: MachineDefinition, ofMachine: TakingPart): boolean {
  return Object.entries(machine.states).some(
    ([state, { specialists }]) =>
      specialists === undefined && !isAtRest(machine, state) && hasPeople(machine, state, ofMachine),
  );
}
