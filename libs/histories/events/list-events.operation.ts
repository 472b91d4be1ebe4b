import { Query } from '@nestjs/cqrs';
import { EventLog, ForeignPosition, parsePosition, type Position, type StoredEvent } from '#lib/event-store';
import { isRejection, type Rejection } from '#lib/kernel';
import {
  answeredBy,
  checkRole,
  currentContext,
  input,
  is,
  malformed,
  Operation,
  page,
  pageMembers,
  RecordedEventView,
} from '#lib/operations';
import type { Page } from '#lib/read-models';
import { pageOfLog } from './page-of-log.js';
import { EventNotice, eventTypesOf, noticeOf, type ShownEvent, shownEvent } from './shown-event.js';

@Operation({
  summary:
    'The events of the whole log, oldest first: with their content for operators, without it for viewers',
  http: 'GET /v1/events',
  cli: 'log-events --limit <limit=50>',
  mcp: false,
  access: 'viewer',
  answers: { 200: page(RecordedEventView, EventNotice) },
})
export class ListEvents extends input(Query<Page<ShownEvent>>, {
  types: is.text.optional.about('Only of these recorded types, separated by commas', {
    example: 'SessionCreated,TransitionExecuted',
  }),
  from: is.text.optional.about('A position: only events after it'),
  content: is.oneOf(['off']).optional.about('`off`: without the content of events'),
  ...pageMembers,
}) {}

export const ListEventsHandler = answeredBy(
  ListEvents,
  [EventLog],
  async ({ types: named, from, content, ...request }, log) => {
    if (content === undefined) checkRole(currentContext().role, 'operator');
    const types = eventTypesOf(log, named);
    if (isRejection(types)) return types;
    const start = from === undefined ? undefined : positionFrom(log, from);
    if (isRejection(start)) return start;
    const show = (stored: StoredEvent) => (content === 'off' ? noticeOf(stored) : shownEvent(log, stored));
    return pageOfLog(log, { types, from: start }, request, show);
  },
);

function positionFrom({ store }: EventLog, text: string): Position | Rejection {
  try {
    return parsePosition(store.logId, text);
  } catch (error) {
    if (!(error instanceof ForeignPosition)) throw error;
    return malformed([{ path: '/from', message: 'is not a position of this log' }]);
  }
}
