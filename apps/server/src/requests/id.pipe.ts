import type { PipeTransform } from '@nestjs/common';
import { RejectionError } from '#lib/engine';
import type { Rejection } from '#lib/kernel';
import { unknownConversation } from '#lib/flows';
import { sessionRejections } from '#lib/session';
import { runRejections } from '#lib/workflow';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** An id in a path. One that cannot be an id names nothing: 404, without asking the log. */
class IdPipe implements PipeTransform<string, string> {
  constructor(
    private readonly pattern: RegExp,
    private readonly unknown: (id: string) => Rejection,
  ) {}

  transform(id: string): string {
    if (this.pattern.test(id)) return id;
    throw new RejectionError(this.unknown(id.slice(0, 128)));
  }
}

export const sessionIdPipe = new IdPipe(UUID, sessionRejections.unknownSession);
export const runIdPipe = new IdPipe(UUID, runRejections.unknownRun);
export const conversationIdPipe = new IdPipe(UUID, unknownConversation);
