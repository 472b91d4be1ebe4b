import { oneLine } from '#lib/kernel';
import type { AnswerOf } from '../operations/call-operation.js';
import type { Columns } from './table.js';
import { known } from './text.js';

export const REACTIONS: Columns<AnswerOf<'listReactions'>['items'][number]> = {
  reaction: ({ name }) => name,
  lag: ({ lag }) => known(lag, String),
  parked: ({ parked }) => parked,
  error: ({ error }) => oneLine(error ?? '', 60),
};

export const PARKED: Columns<AnswerOf<'listParkedDeliveries'>['items'][number]> = {
  delivery: ({ deliveryId }) => deliveryId,
  event: ({ stream, revision }) => `${stream}@${revision}`,
  type: ({ type }) => type,
  parked: ({ parkedAt }) => parkedAt,
  error: ({ attempts }) => oneLine(attempts.at(-1)?.error ?? '', 60),
};
