import { type Call, type CommandWriter, subCall } from '#lib/operations';
import { currentRound, isTripped, type Session } from '#lib/session';
import { specialistDecider } from '#lib/specialist';
import { specialistTarget } from '#lib/specialists';
import type { RosterView } from './roster-view.js';

/**
 * Brings everyone back once those who were left to decide are trusted no more: everyone who was disabled before the last time that a
 * person decided. Whoever was disabled since then was disabled by somebody who knew.
 */
export class TripLine {
  constructor(private readonly writer: CommandWriter) {}

  /** @returns whether somebody was enabled: the roster is another one then */
  async check(session: Session, { asked, registered, alignment }: RosterView, call: Call): Promise<boolean> {
    const learned = alignment.position ?? '';
    const disabled = registered.filter(
      ({ role, disabledPosition }) =>
        role === 'proposer' && disabledPosition !== undefined && disabledPosition < learned,
    );
    if (disabled.length === 0 || !isTripped(asked)) return false;
    for (const { specialistId, machineName } of disabled) {
      const step = subCall(call, `enable-${currentRound(session).roundId}-${specialistId}`);
      const target = specialistTarget({ machineName, specialistId });
      const command = { type: 'EnableSpecialist', data: { machineName, specialistId } } as const;
      await this.writer.send(specialistDecider, target, command, { ...step, actor: 'redial' });
    }
    return true;
  }
}
