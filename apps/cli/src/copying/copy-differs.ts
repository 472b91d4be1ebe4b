import type { CopyDifference, LogComparison } from '#lib/event-store';
import { CopyDiffers } from '../error-classes.js';

const wholeCopy =
  'Run redial log copy without --verify-only to copy the rest; if that is refused, copy to an empty place';
const otherPlace = 'Do not use it; find out who wrote to it, and copy to an empty place';

/** The differences of a target and its source, as text. */
export function copyDiffers(target: string, difference: CopyDifference, events: number): CopyDiffers {
  const { what } = difference;
  const why = `${difference.stream} revision ${difference.revision} ${said[what]}, after ${events} equal events`;
  return new CopyDiffers(
    `${target} is not a copy of the log`,
    why,
    what === 'missing in the target' ? wholeCopy : otherPlace,
  );
}

const said: { readonly [What in NonNullable<LogComparison['difference']>['what']]: string } = {
  event: 'should stand where another event is',
  eventId: 'has another id there',
  type: 'has another type there',
  data: 'has other data there',
  metadata: 'has other metadata there',
  'missing in the target': 'is missing there',
  'only in the target': 'is there, and not in the source',
};
