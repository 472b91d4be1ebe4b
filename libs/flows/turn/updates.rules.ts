import type { JsonObject } from '#lib/kernel';
import type { Merged } from './directive.rules.js';
import { hooksAt, objectOf, tell } from './hooks.rules.js';
import type { Steps } from '#lib/workflow';
import type { TurnDraft } from './turn-draft.rules.js';

/** Takes the updates of directives: none of them if the data do not fit. */
export function* takeUpdates(
  turn: TurnDraft,
  { dataUpdate, sourcesOfData, contextUpdate }: Merged,
): Steps<boolean> {
  if (!(yield* takeData(turn, dataUpdate, sourcesOfData))) return false;
  yield* takeContext(turn, contextUpdate);
  return true;
}

/**
 * Takes data, with the changes by `onDataUpdate` of the flow and of the agent. If a part does not fit, or a hook fails, nothing
 * is taken, and the reason is recorded.
 * @param source of the data
 */
export function* takeData(turn: TurnDraft, update: JsonObject, source: string): Steps<boolean> {
  if (Object.keys(update).length === 0) return true;
  const misfit = turn.misfit(update);
  if (misfit !== undefined) {
    turn.refuse(source, misfit);
    return false;
  }
  let changed = update;
  const hooks = hooksAt(
    [turn.flow?.hooks?.onDataUpdate, `onDataUpdate of ${turn.flow?.id}`],
    [turn.agent.hooks?.onDataUpdate, 'onDataUpdate'],
  );
  for (const { hook, source: place } of hooks) {
    const data = { ...turn.data, ...changed };
    const answer = yield* objectOf(turn, hook, { data, previousData: turn.data, update: changed });
    const next = 'refused' in answer ? undefined : { ...changed, ...answer.object };
    if (next && turn.misfit(next) === undefined) changed = next;
    else {
      turn.refuse(place, 'refused' in answer ? answer.refused : 'it answered data that do not fit');
      return false;
    }
  }
  turn.data = { ...turn.data, ...changed };
  return true;
}

/** Takes a change of the context, and calls `onContextUpdate` of the flow and of the agent. */
function* takeContext(turn: TurnDraft, update: JsonObject): Steps<void> {
  if (Object.keys(update).length === 0) return;
  const previousContext = turn.context;
  turn.updateContext(update);
  const hooks = hooksAt(
    [turn.flow?.hooks?.onContextUpdate, `onContextUpdate of ${turn.flow?.id}`],
    [turn.agent.hooks?.onContextUpdate, 'onContextUpdate'],
  );
  yield* tell(turn, hooks, { previousContext, update });
}
