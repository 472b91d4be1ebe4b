import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { Optional } from '../requests/optional.decorator.js';
import { PageParams } from '../requests/page-params.js';

export class SpecialistListParams extends PageParams {
  @ApiPropertyOptional()
  @Optional()
  @IsString()
  machineName?: string;

  @ApiPropertyOptional({ enum: ['proposer', 'arbiter'] })
  @Optional()
  @IsIn(['proposer', 'arbiter'])
  role?: 'proposer' | 'arbiter';
}
