import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Min } from 'class-validator';
import { Optional } from '../requests/optional.decorator.js';
import { ReadParams } from '../requests/read-params.js';
import { WholeNumber } from '../requests/whole-number.decorator.js';

export class MachineParams extends ReadParams {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'Default: the latest' })
  @Optional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  version?: number;
}
