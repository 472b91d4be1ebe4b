import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsNumber, IsString } from 'class-validator';
import { IsName } from '../requests/is-name.decorator.js';
import { Optional } from '../requests/optional.decorator.js';

/** Which members go together (the execution modes) is a rule of specialists, not of the form. */
export class RegisterSpecialistDto {
  @ApiProperty({ enum: ['proposer', 'arbiter'] })
  @IsIn(['proposer', 'arbiter'])
  role!: 'proposer' | 'arbiter';

  @ApiProperty({ example: 'clerk' })
  @IsName()
  specialistId!: string;

  @ApiProperty({ example: 'refunds' })
  @IsName()
  machineName!: string;

  @ApiPropertyOptional()
  @Optional()
  @IsBoolean()
  isHuman?: boolean;

  @ApiPropertyOptional({ description: 'A strategy that is built in, or registered in the process' })
  @Optional()
  @IsString()
  strategyFnName?: string;

  @ApiPropertyOptional({
    description:
      'Is told the context by POST and answers with a choice, or for an arbiter with a verdict. Without user name and password',
    example: 'https://hooks.example/decide',
  })
  @Optional()
  @IsString()
  strategyWebhookUrl?: string;

  @ApiPropertyOptional({ description: 'A context function that is registered in the process' })
  @Optional()
  @IsString()
  contextFnName?: string;

  @ApiPropertyOptional({ description: 'Mustache', example: 'Request: {{metaJson.text}}' })
  @Optional()
  @IsString()
  contextTemplate?: string;

  @ApiPropertyOptional({
    description: 'Is told the context by POST and answers with what the model is told',
    example: 'https://hooks.example/facts',
  })
  @Optional()
  @IsString()
  contextWebhookUrl?: string;

  @ApiPropertyOptional({ description: 'Every tool also asks the model for its reasoning' })
  @Optional()
  @IsBoolean()
  askReasoning?: boolean;

  @ApiPropertyOptional({ example: 'gpt-4o-mini' })
  @Optional()
  @IsString()
  modelId?: string;

  @ApiPropertyOptional({
    description:
      "Name of the environment variable that holds the webhook's token: it is, or ends in, WEBHOOK_TOKEN or HOOK_TOKEN",
    example: 'REFUNDS_WEBHOOK_TOKEN',
  })
  @Optional()
  @IsString()
  webhookTokenName?: string;

  @ApiPropertyOptional({
    description: 'Registers a new version disabled: it is not asked until it is enabled',
  })
  @Optional()
  @IsBoolean()
  disabled?: boolean;

  @ApiPropertyOptional({ description: 'A new version starts with the alignment of the current one' })
  @Optional()
  @IsBoolean()
  keepAlignment?: boolean;

  @ApiPropertyOptional({ description: 'Of an arbiter' })
  @Optional()
  @IsNumber()
  threshold?: number;
}
