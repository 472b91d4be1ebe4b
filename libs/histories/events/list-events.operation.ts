import { IsIn, IsString } from 'class-validator';
import { EventLog, ForeignPosition, parsePosition, type Position, type StoredEvent } from '#lib/event-store';
import { isRejection, type Rejection } from '#lib/kernel';
import {
  answeredBy,
  checkRole,
  currentContext,
  Describe,
  malformed,
  Operation,
  Optional,
  page,
  PageQuery,
  RecordedEventView,
} from '#lib/operations';
import type { Page } from '#lib/read-models';
import { pageOfLog } from './page-of-log.js';
import { EventNotice, eventTypesOf, noticeOf, type ShownEvent, shownEvent } from './shown-event.js';

@Operation({
  summary:
    'The events of the whole log, oldest first: for operators with what is in them, for viewers without',
  http: 'GET /v1/events',
  cli: 'log-events --limit <limit=50>',
  mcp: false,
  access: 'viewer',
  answers: { 200: page(RecordedEventView, EventNotice) },
})
export class ListEvents extends PageQuery<Page<ShownEvent>> {
  @Describe('Only of these recorded types, separated by commas', {
    example: 'SessionCreated,TransitionExecuted',
  })
  @Optional()
  @IsString()
  types?: string;

  @Describe('A position: only events after it')
  @Optional()
  @IsString()
  from?: string;

  @Describe('`off`: without what is in the events')
  @Optional()
  @IsIn(['off'])
  content?: 'off';
}

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
