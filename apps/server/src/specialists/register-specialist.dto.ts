import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsNumber, IsString, IsUrl, Matches } from 'class-validator';
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

  @ApiPropertyOptional({ description: 'Refused: webhooks are not performed by this version' })
  @Optional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  strategyWebhookUrl?: string;

  @ApiPropertyOptional({ description: 'A context function that is registered in the process' })
  @Optional()
  @IsString()
  contextFnName?: string;

  @ApiPropertyOptional({ description: 'Mustache', example: 'Request: {{metaJson.text}}' })
  @Optional()
  @IsString()
  contextTemplate?: string;

  @ApiPropertyOptional({ description: 'Refused: webhooks are not performed by this version' })
  @Optional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  contextWebhookUrl?: string;

  @ApiPropertyOptional({ example: 'gpt-4o-mini' })
  @Optional()
  @IsString()
  modelId?: string;

  @ApiPropertyOptional({ description: "Name of the environment variable that holds the webhook's token" })
  @Optional()
  @Matches(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, { message: 'must be the name of an environment variable' })
  webhookTokenName?: string;

  @ApiPropertyOptional({ description: 'Of an arbiter' })
  @Optional()
  @IsNumber()
  threshold?: number;
}
