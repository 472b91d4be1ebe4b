import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsString } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import { Optional } from '../requests/optional.decorator.js';

/** What is said for a choice: in words, and as facts that are kept with it. */
export abstract class GroundsDto {
  @ApiPropertyOptional()
  @Optional()
  @IsString()
  reasoning?: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @Optional()
  @IsObject()
  metaJson?: JsonObject;
}
