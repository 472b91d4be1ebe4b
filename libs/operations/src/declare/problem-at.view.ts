import { IsString } from 'class-validator';
import { Describe } from './fields.js';

/** A problem or a warning, with its location in what the caller sent. */
export class ProblemAt {
  @Describe('JSON pointer')
  @IsString()
  path!: string;

  @IsString() message!: string;
}
