import { describe, expect, it } from '@jest/globals';
import { fold } from '#lib/kernel';
import { specify } from '#lib/kernel/testing';
import { sessionDecider } from './session.decider.js';
import { arbitrate, closeArbitration, force, requestHuman, SPLIT } from './testing/arbitration-examples.js';
import {
  at,
  close,
  create,
  created,
  execute,
  executed,
  FAILURE,
  setAside,
  solicit,
  submit,
} from './testing/session-examples.js';

const { given } = specify(sessionDecider);
const before = fold(sessionDecider, [created()]);
const meanwhile = [created(), executed({ transitionName: 'escalate', toState: 'escalated' })];
const completed = (command: Parameters<typeof sessionDecider.decide>[0]) =>
  sessionDecider.complete?.(command, before) ?? command;

describe('a command that names no round', () => {
  it.each([solicit(), submit(), arbitrate(), execute()])('means the one it first met: $type', (command) => {
    expect(completed(command)).toStrictEqual(at('round-1', command));
  });

  it('does not slip into the next round when another writer got in between', () => {
    given(meanwhile).when(completed(solicit())).thenRejected({ code: 'round-over' });
    given(meanwhile)
      .when(completed(submit()))
      .then([setAside('late')]);
    given(meanwhile).when(completed(execute())).thenRejected({ code: 'round-over' });
    given(meanwhile).when(completed(arbitrate())).thenNothing();
    given(meanwhile)
      .when(completed(force({ transitionName: 'resolve' })))
      .thenNothing();
  });

  it('keeps its round, and stays unchanged without a session or a round', () => {
    const named = at('round-7', submit());
    expect(completed(named)).toStrictEqual(named);
    expect(sessionDecider.complete?.(submit(), null)).toStrictEqual(submit());
    const closing = close({ failure: FAILURE.data.failure });
    const unnamed = [create(), closing, closeArbitration({ verdict: SPLIT }), requestHuman()];
    expect(unnamed.map(completed)).toStrictEqual(unnamed);
  });
});
