import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { Optional } from '../requests/optional.decorator.js';
import { ReadParams } from '../requests/read-params.js';

export class StreamParams extends ReadParams {
  @ApiPropertyOptional({
    description: 'Start after this position, where the header Last-Event-ID does not say so',
  })
  @Optional()
  @IsString()
  lastEventId?: string;
}
