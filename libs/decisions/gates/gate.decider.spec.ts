import { describe, expect, it } from '@jest/globals';
import { fold } from '#lib/kernel';
import { specify } from '#lib/kernel/testing';
import type { GateDefinition } from './definition/gate-definition.js';
import { type CreateGate, type DeleteGate, type GateCommand, gateDecider } from './gate.decider.js';
import type { GateCreated, GateDeleted, GateEvent } from './gate.events.js';

const definition: GateDefinition = { gateId: 'release', prompt: 'Ship it?', choices: { ship: {}, hold: {} } };
const changed: GateDefinition = { ...definition, prompt: 'Really?' };

const create = (gate = definition, machineVersion = 1): CreateGate => ({
  type: 'CreateGate',
  data: { definition: gate, machineVersion },
});
const remove: DeleteGate = { type: 'DeleteGate', data: { gateId: 'release' } };

const created = (version: number, gate = definition, machineVersion = 1): GateCreated => ({
  type: 'GateCreated',
  data: { gateId: 'release', version, machineVersion, definition: gate },
});
const deleted: GateDeleted = { type: 'GateDeleted', data: { gateId: 'release' } };

const { given } = specify(gateDecider);

describe('a gate', () => {
  it('is created as version 1', () => {
    given([])
      .when(create())
      .then([created(1)]);
  });

  it('gives no event when the same gate is created again', () => {
    given([created(1)])
      .when(create())
      .thenNothing();
  });

  it('becomes its next version when it is created with another definition, also an older one', () => {
    given([created(1)])
      .when(create(changed, 2))
      .then([created(2, changed, 2)]);
    given([created(1), created(2, changed, 2)])
      .when(create(definition, 3))
      .then([created(3, definition, 3)]);
  });

  it('becomes its next version when its choices come in another order: order has meaning', () => {
    const turned = { ...definition, choices: { hold: {}, ship: {} } };
    given([created(1)])
      .when(create(turned, 2))
      .then([created(2, turned, 2)]);
  });

  it('becomes its next version when its machine has a new version', () => {
    given([created(1)])
      .when(create(definition, 3))
      .then([created(2, definition, 3)]);
  });

  it('is deleted', () => {
    given([created(1)])
      .when(remove)
      .then([deleted]);
  });

  it.each<[string, readonly GateEvent[]]>([
    ['that never was', []],
    ['that was deleted', [created(1), deleted]],
  ])('refuses to delete a gate %s', (_what, history) => {
    given(history).when(remove).thenRejected({ rejected: 'unknown', code: 'unknown-gate' });
  });

  it('is created again after its deletion, with the next version', () => {
    given([created(1), created(2, changed, 2), deleted])
      .when(create(changed, 2))
      .then([created(3, changed, 2)]);
  });

  it('keeps the state at an event of an unknown type', () => {
    const before = fold(gateDecider, [created(1)]);
    const odd = { type: 'GatePainted', data: {} } as object as GateEvent;
    expect(gateDecider.evolve(before, odd)).toEqual(before);
  });

  it.each<[GateCommand, readonly GateEvent[]]>([
    [create(), []],
    [remove, [created(1)]],
  ])('rebuilds a command from what its first event keeps', (command, history) => {
    const events = gateDecider.decide(command, fold(gateDecider, history)) as readonly GateEvent[];
    const kept: unknown = JSON.parse(JSON.stringify(gateDecider.record(command, events)));
    expect(gateDecider.rebuild(kept, events)).toEqual(command);
  });
});
