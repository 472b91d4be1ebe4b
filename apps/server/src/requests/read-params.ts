import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { Optional } from './optional.decorator.js';

/** What every GET takes. */
export class ReadParams {
  @ApiPropertyOptional({
    description: 'Answer only once the rows have reached this position, given in `Redial-Position` before',
  })
  @Optional()
  @IsString()
  minPosition?: string;
}
