import { is, view } from '#lib/operations';

const SET_ASIDE_STATUSES = ['set-aside', 'resumed', 'given-up'] as const;

/** Items that recovery set aside. */
export class SetAsideView extends view({
  stream: is.text,
  workflow: is.text.about('The workflow of the run; `session` for a session that cannot continue'),
  failure: is.text.about('The error of the last attempt'),
  attempts: is.whole(1),
  since: is.time.about('When the first attempt failed'),
  needs: is.text.optional.about(
    'The rules that this process lacks. Absent if it lacks none: then it tries again by itself',
  ),
  status: is.oneOf(SET_ASIDE_STATUSES).about('`resumed`: the retry has not failed'),
}) {}
