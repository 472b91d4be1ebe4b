import { Command } from '@nestjs/cqrs';
import { IsString, MaxLength } from 'class-validator';
import {
  answeredBy,
  authorOf,
  type CommandContext,
  CommandWriter,
  currentContext,
  Describe,
  IsId,
  Operation,
  Optional,
} from '#lib/operations';
import { callMetadata } from '#lib/runs/runs/core';
import { type Session as State, sessionDecider, sessionRejections } from '#lib/decisions/session';
import { RunCommands } from '#lib/workflow';
import { SessionReader } from './session-reader.js';
import { Session } from './sessions.views.js';

@Operation({
  summary: 'End a session before it is done: nothing is decided in it any more',
  http: 'POST /v1/sessions/:sessionId/close',
  access: 'operator',
  answers: { 200: Session },
  destructive: true,
})
export class CloseSession extends Command<Session> {
  @IsId(sessionRejections.unknownSession) sessionId!: string;

  @Describe('Why')
  @Optional()
  @IsString()
  @MaxLength(4_096)
  reason?: string;
}

export const CloseSessionHandler = answeredBy(
  CloseSession,
  [CommandWriter, SessionReader, RunCommands],
  async ({ sessionId, reason }, writer, sessions, commands) => {
    const context = currentContext();
    const data = { sessionId, ...(reason !== undefined && { reason }), by: authorOf(context) };
    const target = { category: 'session', id: sessionId } as const;
    const closed = await writer.send(sessionDecider, target, { type: 'CloseSession', data }, context);
    if (closed.state) await cancelAsked(closed.state, commands, context);
    return sessions.at(sessionId, closed.revision);
  },
);

/** Runs that have ended meanwhile stay as they are; what they give to a closed session is set aside. */
async function cancelAsked(
  { solicitations, arbitrations, sessionId }: State,
  commands: RunCommands,
  context: CommandContext,
): Promise<void> {
  const runs = [
    ...solicitations.map(({ solicitationId }) => solicitationId),
    ...arbitrations.map(({ arbitrationId }) => arbitrationId),
  ];
  const answer = { metadata: callMetadata(context, sessionId) };
  await Promise.all(runs.map((runId) => commands.cancel(runId, 'the session is closed', answer)));
}
