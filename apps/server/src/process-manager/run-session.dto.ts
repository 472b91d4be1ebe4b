import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { Optional } from '../requests/optional.decorator.js';

export class RunSessionDto {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 10_000, default: 1_000 })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(10_000)
  maxTicks?: number;
}
