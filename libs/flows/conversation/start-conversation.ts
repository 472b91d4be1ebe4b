import { Command } from '@nestjs/cqrs';
import { IsObject } from 'class-validator';
import type { JsonObject, Tags } from '#lib/kernel';
import { Describe, IsName, IsTags, IsUniqueKey, IsWhole, Operation, Optional } from '#lib/operations';
import { unknownAgent } from '../agent/agents.decider.js';
import { ConversationView } from './conversations.views.js';

@Operation({
  summary: 'Start a conversation with an agent',
  http: 'POST /v1/conversations',
  cli: 'conversations start <agentName> --unique-key <key>',
  access: 'operator',
  answers: { 200: ConversationView, 201: ConversationView },
})
export class StartConversation extends Command<ConversationView> {
  @IsName(unknownAgent) agentName!: string;

  @Describe('Default: the current version')
  @Optional()
  @IsWhole(1)
  agentVersion?: number;

  @Describe('Over the initial data of the agent')
  @Optional()
  @IsObject()
  initialData?: JsonObject;

  @Describe('Values that templates and predicates see besides the data')
  @Optional()
  @IsObject()
  context?: JsonObject;

  @Describe(
    'Your own name for the conversation, unique for its agent: the same key and body again gives the same conversation. An identifier that stays: use a pseudonym',
    { example: 'case-4711' },
  )
  @Optional()
  @IsUniqueKey()
  key?: string;

  @Describe('Texts by name, to find it by', { example: { customer: '42' } })
  @Optional()
  @IsTags()
  tags?: Tags;
}
