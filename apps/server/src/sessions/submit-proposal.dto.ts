import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsNumber, IsString, Max, Min } from 'class-validator';
import { IsName } from '../requests/is-name.decorator.js';
import { Optional } from '../requests/optional.decorator.js';
import { GroundsDto } from './grounds.dto.js';

/** Without `transitionName` the specialist is asked. */
export class SubmitProposalDto extends GroundsDto {
  @ApiProperty({ example: 'clerk' })
  @IsName()
  specialistId!: string;

  @ApiPropertyOptional({ description: 'Default: the current round' })
  @Optional()
  @IsString()
  roundId?: string;

  @ApiPropertyOptional({ description: 'States the proposal outright' })
  @Optional()
  @IsString()
  transitionName?: string;

  @ApiPropertyOptional({ minimum: 0 })
  @Optional()
  @IsNumber()
  @Min(0)
  costUSD?: number;

  @ApiPropertyOptional({ minimum: 0 })
  @Optional()
  @IsNumber()
  @Min(0)
  latencyMsec?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 0 })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  numInputTokens?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 0 })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  numOutputTokens?: number;
}
