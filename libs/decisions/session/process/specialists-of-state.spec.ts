import { describe, expect, it } from '@jest/globals';
import type { MachineDefinition, SpecialistDeclaration } from '#lib/decisions/machines';
import { machine } from '../testing/session-examples.js';
import { type Candidate, specialistsOfState } from './specialists-of-state.js';

/** `role:id`, with `!` before a disabled one. */
function declared(text: string): SpecialistDeclaration {
  const [role, specialistId = ''] = text.replace('!', '').split(':');
  const off = text.startsWith('!') && { disabled: true };
  return { role: role === 'arbiter' ? 'arbiter' : 'proposer', specialistId, ...off };
}

function registered(text: string): Candidate {
  const { role, specialistId, disabled = false } = declared(text);
  return { role, specialistId, isHuman: false, enabled: !disabled, standsAlone: true };
}

interface Declarations {
  readonly machine?: readonly string[];
  readonly triage?: readonly string[];
  readonly escalated?: readonly string[];
}

function declaring({ machine: common, triage, escalated }: Declarations): MachineDefinition {
  const own = (of: readonly string[] | undefined) => of && { specialists: of.map(declared) };
  const states = {
    ...machine.states,
    triage: { ...machine.states['triage'], ...own(triage) },
    escalated: { ...machine.states['escalated'], ...own(escalated) },
  };
  return { ...machine, states, ...own(common) };
}

const everyone = ['proposer:a', 'proposer:b', 'arbiter:judge', 'arbiter:chief'];
function at(state: string, declarations: Declarations, of: readonly string[] = everyone): readonly string[] {
  return specialistsOfState(declaring(declarations), state, of.map(registered)).map(
    ({ specialistId }) => specialistId,
  );
}

describe('specialistsOfState', () => {
  it('D-18: a role that neither machine nor state declares is open to specialists registered by themselves, in their order', () => {
    expect(at('triage', {})).toEqual(['a', 'b', 'judge', 'chief']);
    expect(at('constructor', {})).toEqual(['a', 'b', 'judge', 'chief']);
    expect(at('triage', { triage: [], machine: [] })).toEqual(['a', 'b', 'judge', 'chief']);
  });

  it('X-T3: a role that the machine declares is closed: only the declared ones take part', () => {
    expect(at('triage', { machine: ['proposer:b'] })).toEqual(['b', 'judge', 'chief']);
    expect(at('triage', { machine: ['proposer:nobody'] })).toEqual(['judge', 'chief']);
    expect(at('triage', { machine: ['arbiter:chief'] })).toEqual(['a', 'b', 'chief']);
  });

  it('X-T3: a specialist that only another version or state declares takes part in no open role', () => {
    const dropped = { ...registered('proposer:a'), standsAlone: false };
    const candidates = [dropped, registered('proposer:b')];
    expect(specialistsOfState(declaring({}), 'triage', candidates)).toEqual([candidates[1]]);
    const elsewhere = declaring({ escalated: ['proposer:a'] });
    expect(specialistsOfState(elsewhere, 'triage', candidates)).toEqual([candidates[1]]);
    expect(specialistsOfState(elsewhere, 'escalated', candidates)).toEqual([dropped]);
  });

  it('D-18: a state that declares a role overrides the machine, for that role alone', () => {
    const own = { triage: ['proposer:b'], machine: ['proposer:a', 'arbiter:chief'] };
    expect(at('triage', own)).toEqual(['b', 'chief']);
    expect(at('escalated', own)).toEqual(['a', 'chief']);
    expect(at('triage', { triage: ['arbiter:judge'], machine: ['arbiter:chief'] })).toEqual([
      'a',
      'b',
      'judge',
    ]);
  });

  it('D-18: a declared arbiter that cannot judge has no substitute: a person decides', () => {
    expect(at('triage', { triage: ['arbiter:nobody'] })).toEqual(['a', 'b']);
    expect(at('triage', { triage: ['arbiter:chief'] }, ['arbiter:judge', '!arbiter:chief'])).toEqual([]);
  });

  it('D-17: a disabled specialist takes part nowhere', () => {
    const some = ['!proposer:a', 'proposer:b', '!arbiter:judge'];
    expect(at('triage', {}, some)).toEqual(['b']);
    expect(at('triage', { triage: ['proposer:a', 'proposer:b', 'arbiter:judge'] }, some)).toEqual(['b']);
  });

  it('D-17: a disabled entry leaves its specialist out of its own scope only', () => {
    const own = { triage: ['!proposer:a', 'proposer:b'], machine: ['proposer:a'] };
    expect(at('triage', own)).not.toContain('a');
    expect(at('escalated', own)).toContain('a');
    const common = { triage: ['proposer:a'], machine: ['!proposer:a'] };
    expect(at('triage', common)).toContain('a');
    expect(at('escalated', common)).not.toContain('a');
  });

  it.each(['constructor', '__proto__', 'toString'])('takes %s for an id like any other', (id) => {
    expect(at('triage', { triage: [`proposer:${id}`] }, [`proposer:${id}`])).toEqual([id]);
    expect(at('triage', {}, [`proposer:${id}`])).toEqual([id]);
  });
});
