import { Command } from '@nestjs/cqrs';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { type ModelParameters, otherParametersSchema } from '#lib/call-rules';
import {
  answeredBy,
  currentContext,
  Describe,
  Fits,
  IsId,
  IsPart,
  markCreated,
  Operation,
  Optional,
} from '#lib/operations';
import type { RunEffects } from '#lib/workflow';
import { unknownConversation } from './conversation.rejections.js';
import { ConversationForks } from './conversation-forks.js';
import { ConversationView } from './conversations.views.js';

export class ConversationForkOverrides {
  @Describe("In place of the agent's model from the fork on; its backup models stay")
  @Optional()
  @IsString()
  @MaxLength(256)
  model?: string;

  @Describe("In place of the agent's parameters of the model")
  @Optional()
  @Fits(otherParametersSchema)
  modelParameters?: ModelParameters;
}

@Operation({
  summary:
    'Go on after a past turn of a conversation, in a new conversation: recorded turns are not taken again',
  http: 'POST /v1/conversations/:conversationId/forks',
  cli: 'conversations fork <conversationId> --at <atTurn> --effects <effects> --reason <reason>',
  access: 'operator',
  answers: { 201: ConversationView },
  problems: [413],
})
export class ForkConversation extends Command<ConversationView> {
  @IsId(unknownConversation) conversationId!: string;

  @Describe('The last turn that the fork has in common with the conversation')
  @IsId()
  atTurn!: string;

  @Describe('What is otherwise in the fork')
  @Optional()
  @IsPart(ConversationForkOverrides)
  overrides?: ConversationForkOverrides;

  @Describe('`hold`: functions, webhooks and tools that change something wait for an approval', {
    default: 'hold',
  })
  @Optional()
  @IsIn(['hold', 'allow'])
  effects?: RunEffects;

  @Describe('Why')
  @Optional()
  @IsString()
  @MaxLength(4_096)
  reason?: string;
}

export const ForkConversationHandler = answeredBy(
  ForkConversation,
  [ConversationForks],
  async (command, forks) => {
    const fork = await forks.fork(command, currentContext());
    markCreated();
    return fork;
  },
);
