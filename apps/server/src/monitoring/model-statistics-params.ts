import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { IsTime } from '../requests/is-time.decorator.js';
import { Optional } from '../requests/optional.decorator.js';
import { ReadParams } from '../requests/read-params.js';

const BY = ['model', 'day'] as const;

export class ModelStatisticsParams extends ReadParams {
  @ApiPropertyOptional({
    enum: BY,
    default: 'model',
    description: 'One line for each model, or each model and UTC day',
  })
  @Optional()
  @IsIn(BY)
  by?: (typeof BY)[number];

  @ApiPropertyOptional()
  @Optional()
  @IsString()
  machineName?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Requested at or after this time' })
  @Optional()
  @IsTime()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Requested before this time' })
  @Optional()
  @IsTime()
  to?: string;

  @ApiPropertyOptional({ description: 'Prices every call by this version; default: the one in force then' })
  @Optional()
  @IsString()
  priceVersion?: string;
}
