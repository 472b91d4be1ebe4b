import { IsObject, IsString } from 'class-validator';
import { Describe, IsId, IsTime, IsWhole } from './fields.js';

/** An event as the log gives it back. */
export class RecordedEventView {
  @IsId()
  eventId!: string;

  @IsString()
  type!: string;

  @IsWhole(1)
  schemaVersion!: number;

  @IsString()
  stream!: string;

  @Describe('Place in its stream; the first event has 0')
  @IsWhole()
  revision!: number;

  @Describe('Place in the whole log: opaque')
  @IsString()
  position!: string;

  @IsTime()
  occurredAt!: string;

  @IsObject()
  data!: object;

  @IsObject()
  metadata!: object;
}
