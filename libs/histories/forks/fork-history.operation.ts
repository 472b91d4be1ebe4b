import { Command } from '@nestjs/cqrs';
import { Forks, Session, sessionForkMembers } from '#lib/decisions/driving';
import { EventLog, UnstorableEvent } from '#lib/event-store';
import { oneLine, reject, type Rejection } from '#lib/kernel';
import {
  answeredBy,
  currentContext,
  input,
  is,
  markCreated,
  Operation,
  refuse,
  RejectionError,
} from '#lib/operations';
import { WorkflowRegistry } from '#lib/workflow';
import { type OpenedHistory, openHistoryText } from '../file/open-history.js';
import { verifyHistory } from '../file/verify-history.js';

@Operation({
  summary:
    'Fork a session of another log at a past revision, as a new session of this log: the lines after the first are the history file',
  http: 'POST /v1/histories/forks',
  lines: 'history',
  mcp: false,
  access: 'operator',
  answers: { 201: Session },
  problems: [404],
})
export class ForkHistory extends input(Command<Session>, {
  history: is.text.about('The text of a history file of a session. HTTP takes at most 64 MiB'),
  ...sessionForkMembers,
}) {}

/** A repeat answers from the log, without the file. */
export const ForkHistoryHandler = answeredBy(
  ForkHistory,
  [Forks, EventLog, WorkflowRegistry],
  async ({ history, ...asked }, forks, { codec }, workflows) => {
    const context = currentContext();
    const made = await forks.made(context);
    if (made) return made;
    const file = await openHistoryText(history, codec);
    try {
      const why = await unfit(file, workflows);
      if (why) refuse(why);
      const { log, head } = file;
      const session = await forks
        .ofRecorded({ ...asked, log, sessionId: head.root.id }, context)
        .catch((error: unknown) => {
          throw error instanceof UnstorableEvent ? new RejectionError(unstorable(error)) : error;
        });
      markCreated();
      return session;
    } finally {
      await file.log.store.close();
    }
  },
);

/** Only a history that its rules derive is copied: anybody can write a valid checksum over changed data. */
async function unfit(file: OpenedHistory, workflows: WorkflowRegistry): Promise<Rejection | undefined> {
  const { root, redaction } = file.head;
  if (root.kind !== 'session')
    return unfitFile('not-a-session', `it is of a ${root.kind}`, 'Fork it in the log that has it');
  if (redaction !== 'none')
    return unfitFile('redacted', 'its content was left out', 'Export it without redaction');
  const { divergences, erased = 0 } = await verifyHistory(file, workflows);
  const [first] = divergences;
  if (first)
    return unfitFile(
      'history-diverges',
      oneLine(
        `${first.stream} revision ${first.revision} differs at ${first.pointer} from what its rules derive`,
        400,
      ),
      'Look at it with redial replay',
    );
  if (erased === 0) return undefined;
  return unfitFile('erased-history', 'the keys of its subject are not in it', 'Export it with its keys');
}

/** The refusal of a value that another log, or an earlier release, stored and this log does not. */
function unstorable({ message }: UnstorableEvent): Rejection {
  return unfitFile('unstorable', oneLine(message, 400), 'Fork it in the log that has it');
}

function unfitFile(code: string, why: string, fix: string): Rejection {
  return reject('refused', code, { what: 'the history file', why, fix });
}
