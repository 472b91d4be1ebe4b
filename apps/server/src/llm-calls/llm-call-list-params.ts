import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import type { LlmCallOutcome } from '#lib/projections';
import { IsTime } from '../requests/is-time.decorator.js';
import { Optional } from '../requests/optional.decorator.js';
import { PageParams } from '../requests/page-params.js';

const OUTCOMES: readonly LlmCallOutcome[] = [
  'toolCall',
  'decision',
  'noToolCall',
  'unreadable',
  'failed',
  'pending',
];

export class LlmCallListParams extends PageParams {
  @ApiPropertyOptional()
  @Optional()
  @IsString()
  sessionId?: string;

  @ApiPropertyOptional()
  @Optional()
  @IsString()
  specialistId?: string;

  @ApiPropertyOptional()
  @Optional()
  @IsString()
  machineName?: string;

  @ApiPropertyOptional({ description: 'As it was asked for' })
  @Optional()
  @IsString()
  model?: string;

  @ApiPropertyOptional({ enum: OUTCOMES })
  @Optional()
  @IsIn(OUTCOMES)
  outcome?: LlmCallOutcome;

  @ApiPropertyOptional({ format: 'date-time', description: 'Requested at or after this time' })
  @Optional()
  @IsTime()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Requested before this time' })
  @Optional()
  @IsTime()
  to?: string;
}
