import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { Optional } from '../requests/optional.decorator.js';
import { GroundsDto } from './grounds.dto.js';

export class ExecuteTransitionDto extends GroundsDto {
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

  @ApiPropertyOptional({
    description:
      'An open proposal of the round for this transition, which is granted by it: it becomes `won`',
  })
  @Optional()
  @IsString()
  proposalId?: string;
}
