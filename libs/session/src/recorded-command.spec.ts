import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import { jsonText } from '#lib/kernel';
import { rebuiltCommand, recordedCommand } from './recorded-command.js';
import type { CloseSolicitation } from './session.commands.js';
import { proposed } from './testing/session-examples.js';

const LONG = { note: 'n'.repeat(2_000) };

function close(metaJson: JsonObject): CloseSolicitation {
  const choice = { transitionName: 'refund', toState: 'refunded', metaJson, reasoning: 'why' };
  return {
    type: 'CloseSolicitation',
    data: { sessionId: 's', solicitationId: 'a', proposalId: 'p', result: { choice } },
  };
}

describe('the command that the event of a proposal keeps', () => {
  it('names long arguments by their hash, for the event holds them, and is the same command again', () => {
    const events = [proposed({ metaJson: LONG })];
    const kept = recordedCommand(close(LONG), events);
    expect(jsonText(kept)).not.toContain(LONG.note);
    expect(jsonText(rebuiltCommand(kept as CloseSolicitation, events))).toBe(jsonText(close(LONG)));
  });

  it('keeps short arguments, and those that are not in the event because the caller gave others', () => {
    const short = { amount: 5 };
    expect(recordedCommand(close(short), [proposed({ metaJson: short })])).toEqual(close(short));
    expect(recordedCommand(close(LONG), [proposed({ metaJson: short })])).toEqual(close(LONG));
  });

  it('is another one where the arguments in the event were changed', () => {
    const kept = recordedCommand(close(LONG), [proposed({ metaJson: LONG })]) as CloseSolicitation;
    const changed = [proposed({ metaJson: { note: 'm'.repeat(2_000) } })];
    expect(rebuiltCommand(kept, changed)).toEqual(kept);
  });
});
