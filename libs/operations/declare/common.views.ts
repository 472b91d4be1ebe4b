import { IsBoolean, IsObject, IsString } from 'class-validator';
import { Describe, IsId, IsJson, IsListOf, IsTime, IsWhole, Optional } from './fields.js';

/** An event as the log gives it back. */
export class RecordedEventView {
  @IsId() eventId!: string;
  @IsString() type!: string;
  @IsWhole(1) schemaVersion!: number;
  @IsString() stream!: string;

  @Describe('The index in its stream; the first event has 0')
  @IsWhole()
  revision!: number;

  @Describe('The position in the whole log: opaque')
  @IsString()
  position!: string;

  @IsTime() occurredAt!: string;
  @IsObject() data!: object;
  @IsObject() metadata!: object;

  @Describe('What it records, as a line of plain language')
  @IsString()
  summary!: string;
}

/** A problem or a warning, with its location in what the caller sent. */
export class ProblemAt {
  @Describe('JSON pointer')
  @IsString()
  path!: string;

  @IsString() message!: string;
}

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
