import { ENGINE_ACTOR } from '#lib/kernel';
import { type CommandContext, type CommandWriter, childContext } from '#lib/operations/core';
import { areAllInvalid, currentRound, isTripped, type Session } from '#lib/decisions/session';
import { specialistDecider } from '#lib/decisions/specialists';
import { specialistTarget } from '#lib/decisions/registration/core';
import type { RoundParticipants } from './participants.js';

/**
 * Enables disabled proposers again if the enabled ones are no longer trusted, or if all their answers are no proposals. In the
 * first case it enables those disabled before the last decision of a person, in the second those disabled before the start of the
 * round: a later disabling was done with that knowledge.
 */
export class ReinstatementRule {
  constructor(private readonly writer: CommandWriter) {}

  /** @returns whether a specialist was enabled: then the roster has changed */
  async check(session: Session, roster: RoundParticipants, context: CommandContext): Promise<boolean> {
    // A fork does not change specialists of other sessions.
    if (session.fork) return false;
    const { asked, alignment, proposers, roundBegan } = roster;
    if (areAllInvalid(session, proposers)) return this.enable(session, roster, roundBegan, context);
    return isTripped(asked) && this.enable(session, roster, alignment.position, context);
  }

  private async enable(
    session: Session,
    { registered }: RoundParticipants,
    before: string | undefined,
    context: CommandContext,
  ): Promise<boolean> {
    const disabled = registered.filter(
      ({ role, disabledPosition }) =>
        role === 'proposer' &&
        disabledPosition !== undefined &&
        before !== undefined &&
        disabledPosition < before,
    );
    if (disabled.length === 0) return false;
    for (const { specialistId, machineName } of disabled) {
      const step = childContext(context, `enable-${currentRound(session).roundId}-${specialistId}`);
      const target = specialistTarget({ machineName, specialistId });
      const command = { type: 'EnableSpecialist', data: { machineName, specialistId } } as const;
      await this.writer.send(specialistDecider, target, command, { ...step, actor: ENGINE_ACTOR });
    }
    return true;
  }
}
