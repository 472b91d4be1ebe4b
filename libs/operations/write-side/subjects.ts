import { type EventLog, ERASED, streamsAbout } from '#lib/event-store';
import { reject, type Rejection } from '#lib/kernel';
import { idsAbout, type SubjectKeys } from '#lib/read-models';
import type { ReadModels } from '../dispatch/read-models.js';
import type { ReadSide } from '../read-side/read-side.js';
import type { CommandContext } from './command-context.js';
import { refuse } from './rejection-error.js';

/** Gives keys to the subjects of the sessions, runs and conversations that calls begin. */
export class Subjects {
  constructor(
    private readonly log: EventLog,
    private readonly keys: SubjectKeys,
    private readonly rows: ReadModels,
    private readonly reads: ReadSide,
  ) {}

  /**
   * Notes the subject of the call, and makes its key if it has none: the key is in the store before anything is encrypted with it.
   * @throws RejectionError `configuration` without a master key, `erased`
   * @throws KeyMissing for a subject that is in the log, and has no key @throws ProjectionBehind @throws StoreUnavailable
   */
  async begin(subject: string | undefined, { about }: CommandContext): Promise<void> {
    if (subject === undefined) return;
    if (!this.keys.canMake) refuse(noMasterKey());
    const found = await this.log.keys.renewed(subject);
    if (found === undefined) {
      // A new key would open no event that is in the log. Another process may have made the key since.
      if (!(await this.#isInLog(subject))) await this.keys.make(subject);
      // Another call may have looked for the key before there was one.
      this.log.keys.forget(subject);
    }
    await refuseErased(this.log, subject);
    about.note(subject);
  }

  /** @throws ProjectionBehind */
  async #isInLog(subject: string): Promise<boolean> {
    const { db } = await this.rows.source(['labels'], await this.log.store.head());
    if (Object.values(await idsAbout(db, subject)).some(({ length }) => length > 0)) return true;
    // Rows that were filled without the key lack the streams about its subject.
    if ((await this.reads.standingStillOf(['labels'])) === 0) return false;
    return (await streamsAbout(this.log, subject)).length > 0;
  }
}

/** @throws RejectionError `erased` @throws KeyMissing @throws StoreUnavailable */
export async function refuseErased({ keys }: EventLog, subject: string | undefined): Promise<void> {
  if (subject === undefined) return;
  const key = await keys.of(subject, 'the command was not decided');
  if (key === ERASED) refuse(erased(subject));
}

/** The call is about the subject of this stream. @throws RejectionError `erased` @throws KeyMissing @throws StoreUnavailable */
export async function refuseErasedStream(
  log: EventLog,
  stream: string,
  { about }: Pick<CommandContext, 'about'>,
): Promise<void> {
  if (!log.keys.areUsed) return;
  const history = log.known(stream) ?? (await log.load(stream));
  const subject = history.events[0]?.metadata.keyId;
  await refuseErased(log, subject);
  about.note(subject);
}

/** The refusal of subjects on a server that cannot keep their keys. */
export function noMasterKey(): Rejection {
  return reject('refused', 'configuration', {
    what: 'the subject',
    why: 'no master key is set, which keys of subjects need',
    fix: 'Set REDIAL_MASTER_KEY: see docs/forgetting.md',
  });
}

/** The refusal of a command about a subject that was erased. */
export function erased(subject: string): Rejection {
  return reject('conflict', 'erased', {
    what: `subject ${subject}`,
    why: 'it was erased',
    fix: 'No session, run or conversation about it can be changed or begun any more',
  });
}
