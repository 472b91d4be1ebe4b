import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { Optional } from '../requests/optional.decorator.js';
import { ReadParams } from '../requests/read-params.js';

export class AlignmentParams extends ReadParams {
  @ApiPropertyOptional({
    example: 'wilson;halfLife=20',
    default: 'wilson',
    description: '`wilson` or `ratio`, with or without a half-life in comparisons. Sessions go by `wilson`',
  })
  @Optional()
  @IsString()
  rule?: string;
}
