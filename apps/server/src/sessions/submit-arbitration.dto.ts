import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { IsName } from '../requests/is-name.decorator.js';
import { Optional } from '../requests/optional.decorator.js';
import { GroundsDto } from './grounds.dto.js';

/** Without `transitionName` an arbiter judges. `reasoning` stands in place of the winning proposal's. */
export class SubmitArbitrationDto extends GroundsDto {
  @ApiPropertyOptional({
    example: 'reviewer',
    description: 'The human who forces `transitionName`; without one, the arbiter that is to judge',
  })
  @Optional()
  @IsName()
  specialistId?: string;

  @ApiPropertyOptional({ description: 'Default: the current round; another one is stale' })
  @Optional()
  @IsString()
  roundId?: string;

  @ApiPropertyOptional({ description: 'Forces this transition: for human specialists' })
  @Optional()
  @IsString()
  transitionName?: string;
}
