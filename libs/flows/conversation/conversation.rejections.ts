import {
  below,
  type ErrorAnswer,
  ofProblems,
  type Problem,
  RedialError,
  reject,
  type Rejection,
} from '#lib/kernel';
import type { TurnFailure } from '../turn/turn-result.js';

export function unknownConversation(conversationId: string): Rejection {
  return reject('unknown', 'unknown-conversation', {
    what: `conversation ${conversationId}`,
    why: 'no conversation has this id',
    fix: 'Use the id that the start answered',
  });
}

export function conversationExists(conversationId: string): Rejection {
  return reject('conflict', 'conversation-exists', {
    what: `conversation ${conversationId}`,
    why: 'it was started before',
    fix: 'Send messages to it, or start another one',
  });
}

export function turnIsOpen(turnId: string): Rejection {
  return reject('conflict', 'turn-open', {
    what: `turn ${turnId}`,
    why: 'it has not ended, and a conversation takes one turn at a time',
    fix: 'Wait for its end, or answer its await',
  });
}

export function unfitData(problems: readonly Problem[]): Rejection {
  const located = below('/initialData', problems);
  return reject('refused', 'invalid-data', ofProblems('the initial data', located), located);
}

export function invalidDirective(problems: readonly Problem[]): Rejection {
  return reject('refused', 'invalid-directive', ofProblems('the directive', problems), problems);
}

export function turnCancelled(turnId: string): Rejection {
  return reject('conflict', 'turn-cancelled', {
    what: `turn ${turnId}`,
    why: 'it was cancelled before its end',
    fix: 'The conversation is unchanged: send the message again, under another key',
  });
}

export function unknownTurn(conversationId: string, turnId: string): Rejection {
  return reject('unknown', 'unknown-turn', {
    what: `turn ${turnId} of conversation ${conversationId}`,
    why: 'the conversation has no turn with this id',
    fix: 'Name one of its turns: `redial conversations turns` lists them',
  });
}

export function noOpenTurn(conversationId: string): Rejection {
  return reject('conflict', 'no-open-turn', {
    what: `conversation ${conversationId}`,
    why: 'it has no turn that runs or waits',
    fix: 'Send it a message',
  });
}

export function missingFunction(why: string): Rejection {
  const text = { errorClass: 'MissingFunction', what: 'the agent', why, fix: 'Register it, and send again' };
  return reject('refused', 'configuration', text);
}

export function noTurn(conversationId: string): Rejection {
  return reject('conflict', 'not-awaited', {
    what: `conversation ${conversationId}`,
    why: 'it has no turn that waits',
    fix: 'Send it a message',
  });
}

export function unknownRevision(conversationId: string, revision: number): Rejection {
  return reject('unknown', 'unknown-revision', {
    what: `revision ${revision} of conversation ${conversationId}`,
    why: 'the conversation has no such revision yet',
    fix: 'Ask for an existing revision',
  });
}

/** A turn failed because of its agent, a model, a function, or their provider. The conversation is unchanged. */
export class TurnNotTaken extends RedialError {
  override readonly answer: ErrorAnswer;

  constructor(
    turnId: string,
    { kind, message, upstreamStatus }: TurnFailure,
    /** The position of the event that closed the turn. */
    readonly position: string | undefined,
  ) {
    const fix = 'The conversation is unchanged; the calls of the turn show the cause';
    super(`turn ${turnId}`, `${kind}: ${message}`, fix);
    const from = upstreamStatus !== undefined && { upstreamStatus };
    this.answer = { status: 502, code: 'turn-failed', kind, ...from, turnId };
  }
}
