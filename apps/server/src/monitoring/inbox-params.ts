import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { Optional } from '../requests/optional.decorator.js';
import { PageParams } from '../requests/page-params.js';

export class InboxParams extends PageParams {
  @ApiPropertyOptional()
  @Optional()
  @IsString()
  machineName?: string;
}
