import { Command } from '@nestjs/cqrs';
import { type ModelParameters, otherParametersSchema } from '#lib/call-rules';
import {
  answeredBy,
  currentContext,
  forkMembers,
  input,
  is,
  markCreated,
  Operation,
  view,
} from '#lib/operations';
import { unknownConversation } from './conversation.rejections.js';
import { ConversationForks } from './conversation-forks.js';
import { ConversationView } from './conversations.views.js';

export class ConversationForkOverrides extends view({
  model: is
    .textUpTo(256)
    .optional.about("Replaces the agent's model from the fork on; its backup models stay"),
  modelParameters: is
    .fitting<ModelParameters>(otherParametersSchema)
    .optional.about("Replaces the agent's parameters of the model"),
}) {}

@Operation({
  summary: 'Fork a conversation after a past turn, as a new conversation: recorded turns are not taken again',
  http: 'POST /v1/conversations/:conversationId/forks',
  cli: 'conversations fork <conversationId> --at <atTurn> --effects <effects> --reason <reason>',
  access: 'operator',
  answers: { 201: ConversationView },
  problems: [413],
})
export class ForkConversation extends input(Command<ConversationView>, {
  conversationId: is.idOf(unknownConversation),
  atTurn: is.id.about('The last turn that the fork has in common with the conversation'),
  overrides: is.part(ConversationForkOverrides).optional.about('The changes of the fork'),
  ...forkMembers,
}) {}

export const ForkConversationHandler = answeredBy(
  ForkConversation,
  [ConversationForks],
  async (command, forks) => {
    const fork = await forks.fork(command, currentContext());
    markCreated();
    return fork;
  },
);
