import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import { Optional } from '../requests/optional.decorator.js';

export class InvokeGateDto {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'What is to be decided about: proposers see it',
  })
  @Optional()
  @IsObject()
  metaJson?: JsonObject;
}
