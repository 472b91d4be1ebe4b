import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Min } from 'class-validator';
import { IsName } from '../requests/is-name.decorator.js';
import { Optional } from '../requests/optional.decorator.js';
import { PageParams } from '../requests/page-params.js';
import { ReadParams } from '../requests/read-params.js';
import { WholeNumber } from '../requests/whole-number.decorator.js';

const MACHINE = 'Needed where several machines have a specialist of this id';

/** Which machine's specialist a call is about. */
export class MachineParams {
  @ApiPropertyOptional({ description: MACHINE })
  @Optional()
  @IsName()
  machineName?: string;
}

export class SpecialistParams extends ReadParams {
  @ApiPropertyOptional({ description: MACHINE })
  @Optional()
  @IsName()
  machineName?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'Default: the current version' })
  @Optional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  version?: number;
}

export class SpecialistPageParams extends PageParams {
  @ApiPropertyOptional({ description: MACHINE })
  @Optional()
  @IsName()
  machineName?: string;
}
