import { keyReused } from '#lib/event-store';
import type { JsonObject } from '#lib/kernel';
import type { CommandContext } from './command-context.js';
import type { Written } from './written.js';
import type { RecordedAnswers } from './recorded-answers.js';
import { RejectionError } from './rejection-error.js';

interface Running {
  readonly fingerprint: string | undefined;
  readonly answer: Promise<Written<unknown>>;
}

/** A repeat that comes while the first call still runs in this process waits for the first one's answer. */
export class SingleFlight {
  private readonly running = new Map<string, Running>();

  constructor(private readonly answers: RecordedAnswers) {}

  /**
   * An answer has the position of the last event that was written for the call; so has a refusal, if an event was written before it.
   * @throws RejectionError when the key is in use with another input
   */
  once<T>(context: CommandContext, work: () => Promise<Written<T>>): Promise<Written<T>> {
    const { commandId } = context;
    const fingerprint = context.fingerprint?.text;
    const running = this.running.get(commandId);
    if (running && running.fingerprint !== fingerprint)
      return Promise.reject(new RejectionError(keyReused()));
    if (running) return running.answer as Promise<Written<T>>;
    const answer = this.placed(context, work).finally(() => this.running.delete(commandId));
    this.running.set(commandId, { fingerprint, answer });
    return answer;
  }

  /** Resolves once the calls that run have ended: a stop waits for it, so that their events are written whole. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.running.values()].map(({ answer }) => answer));
  }

  private async placed<T>(context: CommandContext, work: () => Promise<Written<T>>): Promise<Written<T>> {
    const { written, keyed } = context;
    try {
      const recorded = keyed ? await this.recorded<T>(context) : undefined;
      if (recorded) return recorded;
      const granted = await work();
      written.note(granted.position);
      const isLost = granted.isFleeting || written.latest === undefined;
      if (keyed && isLost) return await this.answers.record(context, granted);
      return { ...granted, position: written.latest };
    } catch (error) {
      if (!(error instanceof RejectionError)) throw error;
      if (written.latest === undefined) throw await this.bound(context, error);
      written.note(error.position);
      throw new RejectionError(error.rejection, written.latest);
    }
  }

  /** The recorded answer of the call, if there is one. Opens the target of its key. */
  private async recorded<T>(context: CommandContext): Promise<Written<T> | undefined> {
    const { answer, bound } = await this.answers.find<T>(context);
    const bind = async (target: JsonObject) => (await this.answers.bind(context, target)).target;
    context.target.open(bound?.target, bind);
    return answer;
  }

  /**
   * Binds the key of a refused call that wrote nothing to the target that it chose: a repeat is decided again on the same target.
   * @returns the refusal
   */
  private async bound(context: CommandContext, refused: RejectionError): Promise<RejectionError> {
    const { rejection } = refused;
    const { unrecorded } = context.target;
    if (!context.keyed || !unrecorded || rejection.code === keyReused().code) return refused;
    return new RejectionError(rejection, (await this.answers.bind(context, unrecorded)).position);
  }
}
