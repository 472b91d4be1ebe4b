import { Command } from '@nestjs/cqrs';
import { answeredBy, authorOf, CommandWriter, currentContext, input, is, Operation } from '#lib/operations';
import { sessionDecider, sessionRejections } from '#lib/decisions/session';
import { SessionReader } from './session-reader.js';
import { Session } from './sessions.views.js';

@Operation({
  summary: 'End a session before it is done: no round of it is decided any more',
  http: 'POST /v1/sessions/:sessionId/close',
  cli: 'close <sessionId> --reason <reason>',
  access: 'operator',
  answers: { 200: Session },
  destructive: true,
})
export class CloseSession extends input(Command<Session>, {
  sessionId: is.idOf(sessionRejections.unknownSession),
  reason: is.textUpTo(4_096).optional.about('Why'),
}) {}

export const CloseSessionHandler = answeredBy(
  CloseSession,
  [CommandWriter, SessionReader],
  async ({ sessionId, reason }, writer, sessions) => {
    const context = currentContext();
    const data = { sessionId, ...(reason !== undefined && { reason }), by: authorOf(context) };
    const target = { category: 'session', id: sessionId } as const;
    const closed = await writer.send(sessionDecider, target, { type: 'CloseSession', data }, context);
    return sessions.at(sessionId, closed.revision);
  },
);
