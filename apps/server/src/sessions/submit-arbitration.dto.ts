import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsString } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import { IsName } from '../requests/is-name.decorator.js';
import { Optional } from '../requests/optional.decorator.js';

/** Without `transitionName` an arbiter judges. */
export class SubmitArbitrationDto {
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

  @ApiPropertyOptional({ description: "Stands in place of the winning proposal's" })
  @Optional()
  @IsString()
  reasoning?: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @Optional()
  @IsObject()
  metaJson?: JsonObject;
}
