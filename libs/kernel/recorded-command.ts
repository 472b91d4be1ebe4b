import type { Command } from './command.js';
import type { Decider } from './decider.js';
import type { Event } from './event.js';
import { firstDifference } from './json-difference.js';

// The first event of a command keeps the members that its events do not hold: `besides`. The ids of the events follow from the whole command, so a
// replay that rebuilds it from changed events finds that the ids do not match.

/** The members of a command's data, by name. */
export type Members = { readonly [member: string]: unknown };
type Kept = { readonly type: string; readonly besides?: Members };

/**
 * `record` and `rebuild` of a decider. The whole command is kept if its events hold other values than the command, or the same in another order.
 * @param own the member that holds the id of the stream
 * @param heldIn the members of a command that its events hold; `undefined` if they hold none
 */
export function recordedBesides<C extends Command, E extends Event>(
  own: string,
  heldIn: (type: C['type'], events: readonly E[]) => Members | undefined,
): Pick<Decider<unknown, C, E>, 'record' | 'rebuild'> {
  return {
    record: (command, events, id) => {
      const held = heldIn(command.type, events);
      const data = command.data as Members;
      if (!held || !Object.entries(held).every(([name, value]) => !firstDifference(data[name], value)))
        return command;
      const besides = Object.entries(data).filter(
        ([name, value]) => !Object.hasOwn(held, name) && (name !== own || value !== id),
      );
      const { type } = command;
      return (
        besides.length === 0 ? { type } : { type, besides: Object.fromEntries(besides) }
      ) satisfies Kept;
    },
    rebuild: (recorded, events, id) => {
      const { type, data, besides } = recorded as C & Kept;
      if (data !== undefined) return recorded as C;
      const held = heldIn(type, events);
      return {
        type,
        data: id === undefined ? { ...held, ...besides } : { [own]: id, ...held, ...besides },
      } as C;
    },
  };
}
