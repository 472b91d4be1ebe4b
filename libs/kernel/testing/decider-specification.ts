import { expect } from '@jest/globals';
import type { Command } from '../command.js';
import { type Decider, fold } from '../decider.js';
import type { Event } from '../event.js';
import { isRejection, type Rejection } from '../rejection.js';

/** `given(history).when(command).then(events)`: the one way deciders are tested. */
export function specify<State, C extends Command, E extends Event>(decider: Decider<State, C, E>) {
  return {
    given: (history: readonly E[]) => ({
      when: (command: C) => outcomeOf(decider, history, command),
    }),
  };
}

function outcomeOf<State, C extends Command, E extends Event>(
  decider: Decider<State, C, E>,
  history: readonly E[],
  command: C,
) {
  const state = fold(decider, history);
  const complete = decider.complete ? decider.complete(command, state) : command;
  const outcome = decider.decide(complete, state);
  return {
    then(expected: readonly E[]): void {
      expect(outcome).toStrictEqual(expected);
    },
    /** Expects this number of events, each with at least these members. */
    thenLike(expected: readonly object[]): void {
      expect(outcome).toMatchObject(expected);
    },
    thenNothing(): void {
      expect(outcome).toEqual([]);
    },
    thenRejected(expected: Partial<Omit<Rejection, 'message'>> & { message?: unknown }): void {
      expect(isRejection(outcome)).toBe(true);
      expect(outcome).toMatchObject(expected);
    },
  };
}
