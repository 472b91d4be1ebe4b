import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import type { DecidedHow } from '#lib/projections';
import { IsTime } from '../requests/is-time.decorator.js';
import { Optional } from '../requests/optional.decorator.js';
import { PageParams } from '../requests/page-params.js';

const HOW: readonly DecidedHow[] = ['consensus', 'override', 'operator'];

export class DecisionListParams extends PageParams {
  @ApiPropertyOptional()
  @Optional()
  @IsString()
  sessionId?: string;

  @ApiPropertyOptional({ enum: HOW, description: 'Who took it: an arbiter, a person, an operator' })
  @Optional()
  @IsIn(HOW)
  how?: DecidedHow;

  @ApiPropertyOptional({ format: 'date-time', description: 'Decided at or after this time' })
  @Optional()
  @IsTime()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Decided before this time' })
  @Optional()
  @IsTime()
  to?: string;
}
