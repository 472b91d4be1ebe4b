import { fold, isRejection, RedialError, type Rejection } from '#lib/kernel';
import { type MachineInput, normalizeMachine, validateMachine } from '#lib/decisions/machines';
import { sessionDecider, type SessionEvent, sessionRejections } from '#lib/decisions/session';
import { RejectionError } from '#lib/operations/core';
import { shortly } from '../shortly.js';
import { firstMismatch } from './first-mismatch.js';
import { type GivenEvent, historyOf, settingOf, uuidOf } from './session-history.js';
import { sessionCommand, type SessionOperation } from './session-commands.js';

/** A command of a test had another outcome than the expected one. */
export class UnexpectedOutcome extends RedialError {}

/** An event with at least these members; a matcher of a test runner may stand for a value. */
export interface ExpectedEvent {
  readonly type: SessionEvent['type'];
  readonly data?: object;
}

/** The events of a command, all of them and in order; or the code of its refusal. */
export type ExpectedOutcome = readonly ExpectedEvent[] | { readonly rejection: string };

/** A command of a test, decided. */
export interface Decided {
  /** @throws UnexpectedOutcome with the actual outcome, if it is another one */
  readonly then: (expected: ExpectedOutcome) => void;
}

/**
 * The rules of a machine, without an engine: `given(machine, history).when(command).then(events)`.
 *
 * The history is that of one session of the machine. Members of its events that a test leaves out are filled in, and so is its first event,
 * `SessionCreated`. The machine's own specialists take part, with no alignment. A specialist that the machine does not declare is a proposer
 * registered with an operation; a specialist that forces a transition is a person.
 * @throws InvalidMachine
 */
export function given(machine: MachineInput, history: readonly GivenEvent[] = []) {
  validateMachine(machine);
  const setting = settingOf(normalizeMachine(machine));
  return {
    /** A command by the id of its operation, with its input: a member `sessionId` may be left out. */
    when(operation: SessionOperation): Decided {
      const isFirst = operation.type === 'createSession' && history.length === 0;
      const { sessionId = setting.sessionId } = operation;
      const events = isFirst ? [] : historyOf(history, setting, sessionId);
      const outcome = decided(events, operation, setting);
      return { then: (expected) => expectOutcome(operation.type, outcome, expected) };
    },
  };
}

type Outcome = readonly SessionEvent[] | Rejection;

function decided(
  history: readonly SessionEvent[],
  operation: SessionOperation,
  setting: ReturnType<typeof settingOf>,
): Outcome {
  const session = fold(sessionDecider, history);
  const { sessionId: named = session?.sessionId ?? setting.sessionId } = operation;
  const sessionId = uuidOf(named);
  if (session && sessionId !== session.sessionId) return sessionRejections.unknownSession(named);
  try {
    const command = sessionCommand({ ...operation, sessionId }, session, setting, history.length);
    if (isRejection(command)) return command;
    return sessionDecider.decide(sessionDecider.complete?.(command, session) ?? command, session);
  } catch (error) {
    if (error instanceof RejectionError) return error.rejection;
    throw error;
  }
}

function expectOutcome(type: string, outcome: Outcome, expected: ExpectedOutcome): void {
  const mismatch = firstMismatch(expected, isRejection(outcome) ? { rejection: outcome.code } : outcome);
  if (!mismatch) return;
  const { pointer, expected: wanted, came } = mismatch;
  const where = pointer === '' ? '' : `${pointer} is ${shortly(came)}, and ${shortly(wanted)} was expected; `;
  throw new UnexpectedOutcome(
    type,
    `${where}there came ${shown(outcome)}, and ${'rejection' in expected ? expected.rejection : shown(expected)} was expected`,
    'Correct the machine, or the expectation of the test',
  );
}

function shown(outcome: Rejection | readonly ExpectedEvent[]): string {
  if (isRejection(outcome)) return outcome.message.replace(/\.$/, '');
  return outcome.map(({ type, data = {} }) => `${type} ${shortly(data)}`).join(', ') || 'no event';
}
