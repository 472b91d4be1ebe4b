import { Command } from '@nestjs/cqrs';
import { ArrayMaxSize, IsArray, IsString } from 'class-validator';
import { type Budget, budgetSchema, type ModelParameters, modelParametersSchema } from '#lib/call-rules';
import {
  answeredBy,
  CommandWriter,
  currentContext,
  input,
  is,
  markCreated,
  Operation,
  pageMembers,
} from '#lib/operations';
import { isNewVersion, specialistDecider, unknownSpecialist } from '#lib/decisions/specialists';
import { Reviewers } from '#lib/people';
import { specialistTemplateWarnings } from '#lib/decisions/solicitation';
import { reviewerOf, unknownPersonWarnings } from './reviewers.js';
import { RegistrationChecks } from './registration-checks.js';
import { SpecialistLookup } from './specialist-lookup.js';
import { specialistRecord } from './specialist-record.js';
import { specialistTarget } from './own-specialists.js';

import {
  ProposingWorkflow,
  RegisteredSpecialist,
  Specialist,
  SPECIALIST_ROLES,
  TrustOfArbiter,
} from './specialists.views.js';

/** The purpose of the machine name beside a specialist's id. */
export const MACHINE_OF_SPECIALIST = 'Needed if several machines have a specialist of this id';

/** The input of a list about a specialist. */
export const specialistPageMembers = {
  specialistId: is.nameOf(unknownSpecialist),
  machineName: is.name.optional.about(MACHINE_OF_SPECIALIST),
  ...pageMembers,
};

// Which members exclude each other (the execution modes) is checked by the rules of specialists, not by the form.
@Operation({
  summary: 'Register a proposer or an arbiter, or its next version, with one of the execution modes',
  http: 'POST /v1/specialists',
  cli:
    'specialists register <specialistId> --role <role=proposer> --human <isHuman> --person <personId> --model <modelId> ' +
    '--template <contextTemplate> --strategy <strategyFnName> --strategy-webhook <strategyWebhookUrl> ' +
    '--context <contextFnName> --context-webhook <contextWebhookUrl> --webhook-token-name <webhookTokenName>',
  access: 'operator',
  answers: { 200: RegisteredSpecialist, 201: RegisteredSpecialist },
})
export class RegisterSpecialist extends input(Command<RegisteredSpecialist>, {
  role: is
    .oneOf(SPECIALIST_ROLES)
    .about('A proposer chooses a transition; an arbiter decides among the proposals'),
  specialistId: is.name.about('Unique within its machine', { example: 'clerk' }),
  machineName: is.name.about('The machine, or the gate, it takes part in', { example: 'refunds' }),
  isHuman: is.flag.optional.about('A person is to act as this proposer'),
  personId: is.name.optional.about(
    "The id of that person. Default: the specialist's id; if no person has it, one is registered as a reviewer, and only this answer has their token",
    { example: 'ann' },
  ),
  strategyFnName: is.text.optional.about('A strategy that is built in, or registered in the process'),
  strategyWebhookUrl: is.text.optional.about(
    'A webhook that gets the context and answers with a choice, or for an arbiter with a verdict',
    {
      example: 'https://hooks.example/decide',
    },
  ),
  contextFnName: is.text.optional.about('For a model: a context function that is registered in the process'),
  contextTemplate: is.text.optional.about('For a model: its context, a Mustache template', {
    example: 'Request: {{metaJson.text}}',
  }),
  contextWebhookUrl: is.text.optional.about('For a model: a webhook that answers with its context', {
    example: 'https://hooks.example/facts',
  }),
  askReasoning: is.flag.optional.about('Every tool also asks the model for its reasoning'),
  modelParameters: is
    .fitting<ModelParameters>(modelParametersSchema)
    .optional.about('Sent to the model; without it, temperature 0'),
  backupModels: is
    .form<string[]>(IsArray(), ArrayMaxSize(8), IsString({ each: true }))
    .optional.about('Models that are asked in this order if the provider of the earlier one fails'),
  budget: is
    .fitting<Budget>(budgetSchema)
    .optional.about('The budget of its model calls: a call that may exceed it is not made'),
  systemPrompt: is.text.optional.about(
    'Mustache over the context and machineName: replaces the text of the system message',
  ),
  modelId: is.text.optional.about('A model', { example: 'gpt-4o-mini' }),
  workflow: is
    .a(ProposingWorkflow)
    .optional.about(
      'A registered workflow: its input has the transitions of the state as `exits`, and it ends with one of them',
    ),
  webhookTokenName: is.text.optional.about(
    "The environment variable that holds the webhook's token: it is, or ends in, WEBHOOK_TOKEN or HOOK_TOKEN",
    { example: 'REFUNDS_WEBHOOK_TOKEN' },
  ),
  disabled: is.flag.optional.about('A new version is not asked until it is enabled'),
  keepAlignment: is.flag.optional.about('A new version starts with the alignment of the current one'),
  threshold: is.number.optional.about('For an arbiter: the margin that it needs, from 0 to 1'),
  trust: is
    .a(TrustOfArbiter)
    .optional.about(
      'For an arbiter: proposals of a proposer below it have no weight; that of a state or machine replaces it',
    ),
}) {}

export const RegisterSpecialistHandler = answeredBy(
  RegisterSpecialist,
  [CommandWriter, RegistrationChecks, Reviewers],
  async (given, writer, checks, reviewers) => {
    const context = currentContext();
    const registration = Object.assign({}, given);
    const refusal = checks.refusal(registration);
    if (refusal) return refusal;
    const target = specialistTarget(registration);
    await writer.bindKey(target, context);
    const command = { type: 'RegisterSpecialist', data: { registration } } as const;
    const answer = await writer.send(specialistDecider, target, command, context);
    markCreated(answer.events.some(isNewVersion));
    const record = specialistRecord(answer.state);
    const { token } = await reviewerOf(registration, reviewers, context);
    const warnings = [
      ...specialistTemplateWarnings(registration),
      ...(await unknownPersonWarnings(registration, reviewers)),
    ];
    return {
      ...record,
      ...(token !== undefined && { actorToken: token }),
      ...(warnings.length > 0 && { warnings }),
    };
  },
);

const namedSpecialist = {
  specialistId: is.nameOf(unknownSpecialist),
  machineName: is.name.optional.about(MACHINE_OF_SPECIALIST),
};

@Operation({
  summary: 'Enable a specialist again, in all its versions',
  http: 'POST /v1/specialists/:specialistId/enable',
  query: { machineName: 'machineName' },
  cli: 'specialists enable <specialistId>',
  access: 'operator',
  answers: { 200: Specialist },
})
export class EnableSpecialist extends input(Command<Specialist>, namedSpecialist) {}

export const EnableSpecialistHandler = answeredBy(
  EnableSpecialist,
  [CommandWriter, SpecialistLookup],
  (command, writer, specialists) => setEnabled('EnableSpecialist', command, writer, specialists),
);

@Operation({
  summary: 'Disable a specialist, in all its versions',
  http: 'POST /v1/specialists/:specialistId/disable',
  query: { machineName: 'machineName' },
  cli: 'specialists disable <specialistId>',
  access: 'operator',
  answers: { 200: Specialist },
  destructive: true,
})
export class DisableSpecialist extends input(Command<Specialist>, namedSpecialist) {}

export const DisableSpecialistHandler = answeredBy(
  DisableSpecialist,
  [CommandWriter, SpecialistLookup],
  (command, writer, specialists) => setEnabled('DisableSpecialist', command, writer, specialists),
);

async function setEnabled(
  type: 'EnableSpecialist' | 'DisableSpecialist',
  name: EnableSpecialist | DisableSpecialist,
  writer: CommandWriter,
  specialists: SpecialistLookup,
): Promise<Specialist> {
  const { specialistId } = name;
  const data = { specialistId, machineName: await specialists.machineOf(name) };
  const { state } = await writer.send(
    specialistDecider,
    specialistTarget(data),
    { type, data },
    currentContext(),
  );
  return specialistRecord(state);
}
