import { Matches, ValidateBy } from 'class-validator';
import type { Labelled, Tags } from '#lib/kernel';
import { statedMoment } from './moment.js';
import { is } from './view.js';

// The members that several inputs have.

/** A filter of lists: the beginning of an id. */
export const idBeginning = is
  .form<string>(
    Matches(/^[0-9a-f-]{1,36}$/, { message: 'must be 1 to 36 lower-case hexadecimal digits and hyphens' }),
  )
  .optional.about('Only those whose id begins with this text', { example: '1b9d6bcd' });

const tagsSchema = {
  type: 'object',
  maxProperties: 20,
  propertyNames: { maxLength: 200 },
  additionalProperties: { type: 'string', maxLength: 200 },
};

/**
 * The names that a caller gives to the session, run or conversation that a call begins, and its subject.
 * @param of the kind of definition within which the key is unique
 */
export function ownLabels(thing: Labelled, of: string) {
  return {
    key: is.key.optional.about(
      `Your own name for the ${thing}, unique for its ${of}: the same key and body again gives the same ${thing}. It stays in the log: use a pseudonym`,
      { example: 'case-4711' },
    ),
    tags: is
      .fitting<Tags>(tagsSchema)
      .optional.about('Texts by name, for the filter `tag` of lists', { example: { customer: '42' } }),
    subject: is.name.optional.about(
      'The person or customer it is about. Its content is encrypted under the key of this subject, until the subject is erased. The name stays in the log: use a pseudonym',
      { example: 'customer-42' },
    ),
  };
}

/** The person for whom a trusted caller acts: the dispatcher checks it, and the context of the call holds it. */
export const standIn = is.name.optional.about(
  'The person who acts, on a server that asks for no token. Default: the person of the actor token, else operator',
  { example: 'ann' },
);

/** A moment of a stream: a revision, a time, or `position:` and a position of the log. Absent: now. */
const at = is
  .form<string>(
    ValidateBy({
      name: 'isMoment',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && statedMoment(value) !== undefined,
        defaultMessage: () => 'must be a revision, an ISO 8601 time, or position:<position>',
      },
    }),
  )
  .optional.about('As it was: after this revision of its stream, at this time, or at `position:<position>`', {
    example: '12',
  });

/** The members of a call that makes a fork. */
export const forkMembers = {
  effects: is
    .oneOf(['hold', 'allow'])
    .optional.about('`hold`: functions, webhooks and tools that change something wait for an approval', {
      default: 'hold',
    }),
  reason: is.textUpTo(4_096).optional.about('Why'),
};

/**
 * The members of a query whose answer must hold a write that the caller has seen. The dispatcher refuses a position of another log. A query
 * of rows waits for the position. A query of the log does not wait: the log has every acknowledged event.
 */
export const readMembers = {
  minPosition: is.text.optional.about(
    'Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave',
  ),
};

/** The members of a query about one session, run or conversation, now or at a past moment. */
export const pastMembers = { ...readMembers, at };

/** The members of a query for one page of a list. */
export const pageMembers = {
  ...readMembers,
  limit: is.whole(1, 500).optional.about('Items at most', { default: 50 }),
  cursor: is.text.optional.about('`nextCursor` of the page before'),
};

const tagSchema = { type: 'string', pattern: ':' };

/** The members of a query for one page of sessions, runs or conversations, which have keys and tags. */
export const labelledPageMembers = {
  ...pageMembers,
  idPrefix: idBeginning,
  key: is.key.optional.about('Only with this key'),
  tag: is
    .fitting<string | readonly string[]>({
      anyOf: [tagSchema, { type: 'array', items: tagSchema, maxItems: 20 }],
    })
    .optional.about('Only with this tag, `name:value`; of several, with all of them', {
      example: 'customer:42',
    }),
  subject: is.name.optional.about('Only about this subject'),
};

/** The members of a query for one page of a list below one session, run or conversation, now or at a past moment. */
export const pastPageMembers = { ...pageMembers, at };

/** The members of a query for one page of the events of one session, run or conversation. */
export const eventsMembers = {
  ...pastPageMembers,
  event: is
    .form<string>(Matches(/^.{1,512}@\d{1,15}$/, { message: 'must be <stream>@<revision>' }))
    .optional.about('Only this event, as `<stream>@<revision>`', {
      example: 'redial_session-1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed@3',
    }),
  maxDataBytes: is
    .whole()
    .optional.about('The most bytes of `data` as JSON: the largest members are left out until it fits'),
};
