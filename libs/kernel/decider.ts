import type { Command } from './command.js';
import type { Event } from './event.js';
import type { Rejection } from './rejection.js';

/** The rules of one kind of stream, pure: no clock, no randomness, no I/O. */
export interface Decider<State, C extends Command, E extends Event> {
  readonly initialState: State;
  /**
   * Fills in members that the caller left out (the current round) from the first state that the command is decided on. Called once; a retry after a
   * conflict keeps the completed command. A complete command is returned unchanged.
   */
  complete?(command: C, state: State): C;
  /** The events of an accepted command, none if there is nothing to do, or a rejection. Deterministic. */
  decide(command: C, state: State): readonly E[] | Rejection;
  /** Total: takes every event in every state and never throws. */
  evolve(state: State, event: E): State;
  /**
   * The part of the command that its first event keeps: everything that `rebuild` cannot take from the command's events, and from the id in the name
   * of their stream.
   */
  record(command: C, events: readonly E[], id?: string): object;
  /** The command, rebuilt from the part that `record` kept and from its events. */
  rebuild(recorded: unknown, events: readonly E[], id?: string): C;
}

/** State after events: `fold(d, [...a, ...b])` equals `fold(d, b, fold(d, a))`. */
export function fold<State, C extends Command, E extends Event>(
  decider: Pick<Decider<State, C, E>, 'initialState' | 'evolve'>,
  events: readonly E[],
  from: State = decider.initialState,
): State {
  return events.reduce((state, event) => decider.evolve(state, event), from);
}
