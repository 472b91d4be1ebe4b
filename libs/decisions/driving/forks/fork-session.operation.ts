import { Command } from '@nestjs/cqrs';
import { budgetSchema, modelParametersSchema } from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import type { MachineInput } from '#lib/decisions/machines';
import { MachineDefinition } from '#lib/decisions/registration';
import { type ProposerOverrides, sessionRejections } from '#lib/decisions/session';
import {
  answeredBy,
  type Authored,
  currentContext,
  forkMembers,
  input,
  is,
  markCreated,
  Operation,
  view,
} from '#lib/operations';
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

export class ForkOverrides extends view({
  machine: is
    .a<Authored<MachineInput>>(MachineDefinition)
    .optional.about('Replaces the machine. If it declares no specialists, those of the session stay'),
  metaJson: is.object().optional.about('In place of the case'),
  specialists: is
    .fitting<{ readonly [specialistId: string]: ProposerOverrides }>(proposersSchema)
    .optional.about(
      'By the id of a proposer that a model decides for: `modelId`, `backupModels`, `modelParameters`, `systemPrompt`, ' +
        '`contextTemplate`, `budget` and `askReasoning` in place of its own',
    ),
}) {}

/** The members of a session's fork, in this log or from a history file. */
export const sessionForkMembers = {
  atRevision: is
    .whole()
    .about('The last event that the fork has in common with the session: the last one of a command'),
  overrides: is.part(ForkOverrides).optional.about('The changes of the fork'),
  ...forkMembers,
};

@Operation({
  summary:
    'Fork a session at a past revision, as a new session: recorded outcomes are used, and not asked for again',
  http: 'POST /v1/sessions/:sessionId/forks',
  access: 'operator',
  answers: { 201: Session },
  problems: [413],
})
export class ForkSession extends input(Command<Session>, {
  sessionId: is.idOf(sessionRejections.unknownSession),
  ...sessionForkMembers,
}) {}

export const ForkSessionHandler = answeredBy(ForkSession, [Forks], async (command, forks) => {
  const session = await forks.ofSession(command, currentContext());
  markCreated();
  return session;
});
