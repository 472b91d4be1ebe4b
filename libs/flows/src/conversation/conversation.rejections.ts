import { type Problem, reject, type Rejection } from '#lib/kernel';

export function unknownConversation(conversationId: string): Rejection {
  return reject('unknown', 'unknown-conversation', {
    errorClass: 'UnknownConversation',
    what: `conversation ${conversationId}`,
    why: 'no conversation has this id',
    fix: 'Use the id that the start answered',
  });
}

export function conversationExists(conversationId: string): Rejection {
  return reject('conflict', 'conversation-exists', {
    errorClass: 'ConversationExists',
    what: `conversation ${conversationId}`,
    why: 'it was started before',
    fix: 'Send messages to it, or start another one',
  });
}

export function turnIsOpen(turnId: string): Rejection {
  return reject('conflict', 'turn-open', {
    errorClass: 'TurnOpen',
    what: `turn ${turnId}`,
    why: 'it has not ended, and a conversation takes one turn at a time',
    fix: 'Wait for it, or answer what it waits for',
  });
}

export function unfitData(problems: readonly Problem[]): Rejection {
  const text = {
    errorClass: 'InvalidData',
    what: 'the initial data',
    why: 'they do not fit the schema of the agent',
    fix: 'Correct the members that are listed',
  };
  const below = problems.map(({ path, message }) => ({ path: `/initialData${path}`, message }));
  return reject('refused', 'invalid-data', text, below);
}

export function invalidDirective(problems: readonly Problem[]): Rejection {
  const text = {
    errorClass: 'InvalidDirective',
    what: 'the directive',
    why: 'it cannot be applied to this conversation',
    fix: 'Correct the members that are listed',
  };
  return reject('refused', 'invalid-directive', text, problems);
}
