import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsString, Max, Min } from 'class-validator';
import { Optional } from './optional.decorator.js';
import { ReadParams } from './read-params.js';
import { WholeNumber } from './whole-number.decorator.js';

/** What every list takes. */
export class PageParams extends ReadParams {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 500, default: 50 })
  @Optional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(500)
  limit?: number;

  @ApiPropertyOptional({ description: '`nextCursor` of the page before' })
  @Optional()
  @IsString()
  cursor?: string;
}
