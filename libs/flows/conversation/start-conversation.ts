import { Command } from '@nestjs/cqrs';
import { IsObject } from 'class-validator';
import type { JsonObject, Tags } from '#lib/kernel';
import { Describe, IsName, OwnKey, OwnSubject, OwnTags, IsWhole, Operation, Optional } from '#lib/operations';
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

  @OwnKey('conversation', 'agent') key?: string;

  @OwnTags() tags?: Tags;

  @OwnSubject() subject?: string;
}
