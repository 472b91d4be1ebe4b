import { type EventLog, ERASED } from '#lib/event-store';
import { reject, type Rejection } from '#lib/kernel';
import type { SubjectKeys } from '#lib/read-models';
import type { CommandContext } from './command-context.js';
import { refuse } from './rejection-error.js';

/** Gives keys to the subjects of what calls begin. */
export class Subjects {
  constructor(
    private readonly log: EventLog,
    private readonly keys: SubjectKeys,
  ) {}

  /**
   * The call is about this subject, which has a key from here on, in the store of keys before anything is encrypted with it.
   * @throws RejectionError `configuration` without a master key, `erased` @throws KeyMissing @throws StoreUnavailable
   */
  async begin(subject: string | undefined, { about }: CommandContext): Promise<void> {
    if (subject === undefined) return;
    if (!this.keys.canMake) refuse(noMasterKey());
    // A key in memory may be that of a subject that another process has erased since.
    this.log.keys.forget(subject);
    await this.keys.make(subject);
    await refuseErased(this.log, subject);
    about.note(subject);
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
    why: 'no master key is set, under which keys of subjects are kept',
    fix: 'Set REDIAL_MASTER_KEY: see docs/forgetting.md',
  });
}

function erased(subject: string): Rejection {
  return reject('conflict', 'erased', {
    what: `subject ${subject}`,
    why: 'it was erased',
    fix: 'Nothing about it can be changed or begun any more',
  });
}
