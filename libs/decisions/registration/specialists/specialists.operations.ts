import { Command } from '@nestjs/cqrs';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsNumber, IsString } from 'class-validator';
import { type Budget, budgetSchema, type ModelParameters, modelParametersSchema } from '#lib/call-rules';
import {
  answeredBy,
  CommandWriter,
  currentContext,
  Describe,
  Fits,
  IsA,
  IsName,
  markCreated,
  Operation,
  Optional,
} from '#lib/operations';
import { isNewVersion, specialistDecider, unknownSpecialist } from '#lib/decisions/specialists';
import { Reviewers } from '#lib/people';
import { specialistTemplateWarnings } from '#lib/decisions/solicitation';
import { reviewerOf } from './reviewer-of.js';
import { RegistrationChecks } from './registration-checks.js';
import { SpecialistLookup } from './specialist-lookup.js';
import { specialistRecord } from './specialist-record.js';
import { specialistTarget } from './specialist-target.js';
import { unknownPersonWarnings } from './unknown-person.js';
import {
  ProposingWorkflow,
  RegisteredSpecialist,
  Specialist,
  SPECIALIST_ROLES,
  TrustOfArbiter,
} from './specialists.views.js';

/** The purpose of the machine name beside a specialist's id. */
export const MACHINE_OF_SPECIALIST = 'Needed if several machines have a specialist of this id';

// Which members go together (the execution modes) is a rule of specialists, not of the form.
@Operation({
  summary: 'Register a proposer or an arbiter, or its next version; one of the modes says how it decides',
  http: 'POST /v1/specialists',
  cli:
    'specialists register <specialistId> --role <role=proposer> --human <isHuman> --person <personId> --model <modelId> ' +
    '--template <contextTemplate> --strategy <strategyFnName> --strategy-webhook <strategyWebhookUrl> ' +
    '--context <contextFnName> --context-webhook <contextWebhookUrl> --webhook-token-name <webhookTokenName>',
  access: 'operator',
  answers: { 200: RegisteredSpecialist, 201: RegisteredSpecialist },
})
export class RegisterSpecialist extends Command<RegisteredSpecialist> {
  @Describe('A proposer chooses a transition; an arbiter decides among the proposals')
  @IsIn(SPECIALIST_ROLES)
  role!: 'proposer' | 'arbiter';

  @Describe('Unique within its machine', { example: 'clerk' })
  @IsName()
  specialistId!: string;

  @Describe('The machine, or the gate, it takes part in', { example: 'refunds' })
  @IsName()
  machineName!: string;

  @Describe('A person is to act as this proposer')
  @Optional()
  @IsBoolean()
  isHuman?: boolean;

  @Describe(
    "Who that is. Default: the person who has the specialist's id; registered with it as a reviewer if there is none; the answer then has their token, once",
    { example: 'ann' },
  )
  @Optional()
  @IsName()
  personId?: string;

  @Describe('A strategy that is built in, or registered in the process')
  @Optional()
  @IsString()
  strategyFnName?: string;

  @Describe('A webhook that is sent the context and answers with a choice, of an arbiter with a verdict', {
    example: 'https://hooks.example/decide',
  })
  @Optional()
  @IsString()
  strategyWebhookUrl?: string;

  @Describe('For a model: a context function that is registered in the process')
  @Optional()
  @IsString()
  contextFnName?: string;

  @Describe('For a model: its context, a Mustache template', { example: 'Request: {{metaJson.text}}' })
  @Optional()
  @IsString()
  contextTemplate?: string;

  @Describe('For a model: a webhook that answers with its context', {
    example: 'https://hooks.example/facts',
  })
  @Optional()
  @IsString()
  contextWebhookUrl?: string;

  @Describe('Every tool also asks the model for its reasoning')
  @Optional()
  @IsBoolean()
  askReasoning?: boolean;

  @Describe('Sent to the model; without it, temperature 0')
  @Optional()
  @Fits(modelParametersSchema)
  modelParameters?: ModelParameters;

  @Describe('Models that are asked in this order if the provider of the one before fails')
  @Optional()
  @IsArray()
  @ArrayMaxSize(8)
  @IsString({ each: true })
  backupModels?: string[];

  @Describe('The most that its calls of models may use: a call that may exceed it is not made')
  @Optional()
  @Fits(budgetSchema)
  budget?: Budget;

  @Describe('Mustache over the context and machineName: replaces the text of the system message')
  @Optional()
  @IsString()
  systemPrompt?: string;

  @Describe('A model', { example: 'gpt-4o-mini' })
  @Optional()
  @IsString()
  modelId?: string;

  @Describe(
    'A registered workflow: its input has the transitions of the state as `exits`, and it ends with one of them',
  )
  @Optional()
  @IsA(ProposingWorkflow)
  workflow?: ProposingWorkflow;

  @Describe(
    "The environment variable that holds the webhook's token: it is, or ends in, WEBHOOK_TOKEN or HOOK_TOKEN",
    { example: 'REFUNDS_WEBHOOK_TOKEN' },
  )
  @Optional()
  @IsString()
  webhookTokenName?: string;

  @Describe('A new version is not asked until it is enabled')
  @Optional()
  @IsBoolean()
  disabled?: boolean;

  @Describe('A new version starts with the alignment of the current one')
  @Optional()
  @IsBoolean()
  keepAlignment?: boolean;

  @Describe('For an arbiter: the margin it asks for, from 0 to 1')
  @Optional()
  @IsNumber()
  threshold?: number;

  @Describe(
    "For an arbiter: below it the proposals of a proposer have no weight; a state's and the machine's replace it",
  )
  @Optional()
  @IsA(TrustOfArbiter)
  trust?: TrustOfArbiter;
}

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

abstract class NamedSpecialist extends Command<Specialist> {
  @IsName(unknownSpecialist) specialistId!: string;

  @Describe(MACHINE_OF_SPECIALIST)
  @Optional()
  @IsName()
  machineName?: string;
}

@Operation({
  summary: 'Enable a specialist again, in all its versions',
  http: 'POST /v1/specialists/:specialistId/enable',
  query: { machineName: 'machineName' },
  cli: 'specialists enable <specialistId>',
  access: 'operator',
  answers: { 200: Specialist },
})
export class EnableSpecialist extends NamedSpecialist {}

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
export class DisableSpecialist extends NamedSpecialist {}

export const DisableSpecialistHandler = answeredBy(
  DisableSpecialist,
  [CommandWriter, SpecialistLookup],
  (command, writer, specialists) => setEnabled('DisableSpecialist', command, writer, specialists),
);

async function setEnabled(
  type: 'EnableSpecialist' | 'DisableSpecialist',
  name: NamedSpecialist,
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
