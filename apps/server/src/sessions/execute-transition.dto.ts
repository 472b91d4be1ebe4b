import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsString } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import { Optional } from '../requests/optional.decorator.js';

export class ExecuteTransitionDto {
  @ApiProperty({ example: 'approve' })
  @IsString()
  transitionName!: string;

  @ApiProperty({ example: 'closed', description: 'The target that the machine defines for it' })
  @IsString()
  toState!: string;

  @ApiPropertyOptional({ description: 'Default: the current round; a past one is refused' })
  @Optional()
  @IsString()
  roundId?: string;

  @ApiPropertyOptional()
  @Optional()
  @IsString()
  reasoning?: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @Optional()
  @IsObject()
  metaJson?: JsonObject;

  @ApiPropertyOptional({
    description:
      'An open proposal of the round for this transition, which is granted by it: it becomes `won`',
  })
  @Optional()
  @IsString()
  proposalId?: string;
}
