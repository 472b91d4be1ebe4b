import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import type { EvaluationInput } from '#lib/engine';
import { IsName } from '../requests/is-name.decorator.js';
import { Optional } from '../requests/optional.decorator.js';

const AGAINST = ['exemplars', 'decisions', 'record'] as const;

export class EvaluateSpecialistDto {
  @ApiProperty({
    enum: AGAINST,
    description:
      'exemplars: it is asked anew about what people decided. decisions: about what people and arbiters decided. record: what it proposed then is compared, and nobody is asked',
  })
  @IsIn(AGAINST)
  against!: EvaluationInput['against'];

  @ApiPropertyOptional({ description: "Whose rounds; default: the specialist's machine", example: 'refunds' })
  @Optional()
  @IsName()
  machineName?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'Default: the current version' })
  @Optional()
  @IsInt()
  @Min(1)
  specialistVersion?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 500, default: 50 })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(500)
  maxRounds?: number;
}
