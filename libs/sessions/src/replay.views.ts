import { IsBoolean, IsString } from 'class-validator';
import { Describe, IsId, IsJson, IsListOf, IsWhole, Optional } from '#lib/operations';

class Divergence {
  @IsString() stream!: string;
  @IsWhole() revision!: number;
  @IsString() type!: string;

  @Describe('JSON pointer into the event')
  @IsString()
  pointer!: string;

  @Optional() @IsJson() recorded?: unknown;
  @Optional() @IsJson() replayed?: unknown;
}

export abstract class ReplayReportBody {
  @IsBoolean() identical!: boolean;
  @IsWhole() streamsChecked!: number;

  @Describe('Derived again')
  @IsWhole()
  eventsChecked!: number;

  @Describe('Given facts')
  @IsWhole()
  eventsTaken!: number;

  @Describe('Unfinished histories')
  @IsWhole()
  open!: number;

  @IsListOf(Divergence) divergences!: readonly Divergence[];
}

export class ReplayReport extends ReplayReportBody {
  @IsId() sessionId!: string;
}
