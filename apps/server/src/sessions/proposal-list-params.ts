import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { Optional } from '../requests/optional.decorator.js';
import { PageParams } from '../requests/page-params.js';

export class ProposalListParams extends PageParams {
  @ApiPropertyOptional()
  @Optional()
  @IsString()
  roundId?: string;
}
