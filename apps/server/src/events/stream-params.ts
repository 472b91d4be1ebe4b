import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiQuery } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { Optional } from '#lib/operations';

/** The query of a stream of events. */
export class StreamParams {
  @Optional() @IsString() lastEventId?: string;
  @Optional() @IsString() minPosition?: string;
}

const LAST = 'Start after this position, where the header Last-Event-ID does not say so';
const LEAST = 'Answer only once the rows have reached this position, given in `Redial-Position` before';

/** Documents where a stream begins. */
export function ResumesAfter(): MethodDecorator {
  return applyDecorators(
    ApiHeader({ name: 'Last-Event-ID', required: false, description: 'Resume after this position' }),
    ApiQuery({ name: 'lastEventId', required: false, type: String, description: LAST }),
    ApiQuery({ name: 'minPosition', required: false, type: String, description: LEAST }),
  );
}
