import { Query } from '@nestjs/cqrs';
import { IsString, Matches } from 'class-validator';
import {
  Describe,
  IsIdPrefix,
  IsMoment,
  IsName,
  IsTextOrTexts,
  IsUniqueKey,
  IsWhole,
  Optional,
} from './fields.js';

/**
 * A query whose answer may be asked to be as new as a write that the caller saw. The dispatcher refuses a position of another log;
 * a query of rows waits for it. A query of the log waits for nothing: the log has what was acknowledged.
 */
export abstract class ReadQuery<Answer> extends Query<Answer> {
  @Describe('Answer only once the rows have reached this position, given in `Redial-Position` before')
  @Optional()
  @IsString()
  minPosition?: string;
}

/** A query about one session, run or conversation, now or as it was. */
export abstract class PastQuery<Answer> extends ReadQuery<Answer> {
  @IsMoment() at?: string;
}

/** A query for one page of a list. */
export abstract class PageQuery<Answer> extends ReadQuery<Answer> {
  @Describe('Items at most', { default: 50 })
  @Optional()
  @IsWhole(1, 500)
  limit?: number;

  @Describe('`nextCursor` of the page before')
  @Optional()
  @IsString()
  cursor?: string;
}

/** A query for one page of a list of what has keys and tags. */
export abstract class LabelledPageQuery<Answer> extends PageQuery<Answer> {
  @IsIdPrefix() idPrefix?: string;

  @Describe('Only with this key')
  @Optional()
  @IsUniqueKey()
  key?: string;

  @Describe('Only with this tag, `name:value`; of several, with all of them', { example: 'customer:42' })
  @Optional()
  @IsTextOrTexts()
  tag?: string | readonly string[];

  @Describe('Only about this subject')
  @Optional()
  @IsName()
  subject?: string;
}

/** A query for one page of a list below one session, run or conversation, now or as it was. */
export abstract class PastPageQuery<Answer> extends PageQuery<Answer> {
  @IsMoment() at?: string;
}

/** A query for one page of the events of one session, run or conversation. */
export abstract class EventsQuery<Answer> extends PastPageQuery<Answer> {
  @Describe('Only this event: its stream and revision, as the answer names them', {
    example: 'redial_session-1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed@3',
  })
  @Optional()
  @Matches(/^.{1,512}@\d{1,15}$/, { message: 'must be <stream>@<revision>' })
  event?: string;

  @Describe('Bytes of JSON that `data` has at most: the largest members are left out until it has')
  @Optional()
  @IsWhole()
  maxDataBytes?: number;
}
