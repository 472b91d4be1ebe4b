import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsObject, Max, Min } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import { IsName } from '../requests/is-name.decorator.js';
import { Optional } from '../requests/optional.decorator.js';

/** Exactly one of `machineName` and `machine`. */
export class CreateSessionDto {
  @ApiPropertyOptional({ example: 'refunds' })
  @Optional()
  @IsName()
  machineName?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'Default: the latest' })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  machineVersion?: number;

  @ApiPropertyOptional({ allOf: [{ $ref: '#/components/schemas/MachineDefinition' }] })
  @Optional()
  @IsObject()
  machine?: JsonObject;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @Optional()
  @IsObject()
  metaJson?: JsonObject;
}
