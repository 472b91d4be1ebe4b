import { IsString } from 'class-validator';
import { Optional } from '#lib/operations';

/** The query of a stream of events. */
export class StreamParams {
  @Optional() @IsString() lastEventId?: string;
  @Optional() @IsString() minPosition?: string;
}
