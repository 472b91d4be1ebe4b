import { Command } from '@nestjs/cqrs';
import { input, is, Operation, ownLabels } from '#lib/operations';
import { unknownAgent } from '../agent/agents.decider.js';
import { ConversationView } from './conversations.views.js';

@Operation({
  summary: 'Start a conversation with an agent',
  http: 'POST /v1/conversations',
  cli: 'conversations start <agentName> --unique-key <key>',
  access: 'operator',
  answers: { 200: ConversationView, 201: ConversationView },
  problems: [404],
})
export class StartConversation extends input(Command<ConversationView>, {
  agentName: is.nameOf(unknownAgent),
  agentVersion: is.whole(1).optional.about('Default: the current version'),
  initialData: is.object().optional.about('Over the initial data of the agent'),
  context: is.object().optional.about('Values that templates and predicates see besides the data'),
  ...ownLabels('conversation', 'agent'),
}) {}
