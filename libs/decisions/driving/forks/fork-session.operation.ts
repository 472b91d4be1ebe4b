import { Command } from '@nestjs/cqrs';
import { IsIn, IsObject, IsString, MaxLength } from 'class-validator';
import { budgetSchema, modelParametersSchema } from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import type { MachineInput } from '#lib/decisions/machines';
import { MachineDefinition } from '#lib/decisions/registration';
import type { ForkEffects, ProposerOverrides } from '#lib/decisions/session';
import {
  answeredBy,
  type Authored,
  currentContext,
  Describe,
  Fits,
  IsA,
  IsPart,
  IsId,
  IsWhole,
  markCreated,
  Operation,
  Optional,
} from '#lib/operations';
import { sessionRejections } from '#lib/decisions/session';
import { Session } from '../sessions.views.js';
import { Forks } from './forks.js';

const proposersSchema: JsonObject = {
  type: 'object',
  maxProperties: 100,
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    properties: {
      modelId: { type: 'string', minLength: 1 },
      backupModels: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 8 },
      modelParameters: modelParametersSchema,
      systemPrompt: { type: 'string' },
      contextTemplate: { type: 'string' },
      budget: budgetSchema,
      askReasoning: { const: true },
    },
  },
};

export class ForkOverrides {
  @Describe('In place of the machine. Without specialists of its own it keeps those of the session')
  @Optional()
  @IsA(MachineDefinition)
  machine?: Authored<MachineInput>;

  @Describe('In place of the case')
  @Optional()
  @IsObject()
  metaJson?: JsonObject;

  @Describe(
    'By the id of a proposer that a model decides for: `modelId`, `backupModels`, `modelParameters`, `systemPrompt`, ' +
      '`contextTemplate`, `budget` and `askReasoning` in place of its own',
  )
  @Optional()
  @Fits(proposersSchema)
  specialists?: { readonly [specialistId: string]: ProposerOverrides };
}

/** The fields of the fork of a session, wherever the session is. */
export abstract class SessionFork extends Command<Session> {
  @Describe('The last event that the fork has in common with the session: the last one of a command')
  @IsWhole()
  atRevision!: number;

  @Describe('What is otherwise in the fork')
  @Optional()
  @IsPart(ForkOverrides)
  overrides?: ForkOverrides;

  @Describe('`hold`: functions, webhooks and tools that change something wait for an approval', {
    default: 'hold',
  })
  @Optional()
  @IsIn(['hold', 'allow'])
  effects?: ForkEffects;

  @Describe('Why')
  @Optional()
  @IsString()
  @MaxLength(4_096)
  reason?: string;
}

@Operation({
  summary: 'Go on from a past revision of a session, in a new session: recorded outcomes are not asked again',
  http: 'POST /v1/sessions/:sessionId/forks',
  access: 'operator',
  answers: { 201: Session },
  problems: [413],
})
export class ForkSession extends SessionFork {
  @IsId(sessionRejections.unknownSession) sessionId!: string;
}

export const ForkSessionHandler = answeredBy(ForkSession, [Forks], async (command, forks) => {
  const session = await forks.ofSession(command, currentContext());
  markCreated();
  return session;
});
