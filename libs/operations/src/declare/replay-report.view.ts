import { IsBoolean, IsString } from 'class-validator';
import { Describe, IsJson, IsListOf, IsWhole, Optional } from './fields.js';

/** The first difference between a recorded stream and what is derived again. */
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

/** The report of a replay, without the id of its subject. */
export abstract class ReplayReportBody {
  @IsBoolean() identical!: boolean;
  @IsWhole() streamsChecked!: number;

  @Describe('Events that were derived again')
  @IsWhole()
  eventsChecked!: number;

  @Describe('Events from outside, taken as they are recorded')
  @IsWhole()
  eventsTaken!: number;

  @Describe('Histories that have not ended')
  @IsWhole()
  open!: number;

  @IsListOf(Divergence) divergences!: readonly Divergence[];
}
