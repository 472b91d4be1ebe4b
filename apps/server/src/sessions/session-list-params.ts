import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import type { SessionStatus } from '#lib/session';
import { Optional } from '../requests/optional.decorator.js';
import { PageParams } from '../requests/page-params.js';

const STATUSES: readonly SessionStatus[] = ['open', 'needs_human', 'done'];

export class SessionListParams extends PageParams {
  @ApiPropertyOptional()
  @Optional()
  @IsString()
  machineName?: string;

  @ApiPropertyOptional()
  @Optional()
  @IsString()
  currentState?: string;

  @ApiPropertyOptional({ enum: STATUSES })
  @Optional()
  @IsIn(STATUSES)
  status?: SessionStatus;
}
