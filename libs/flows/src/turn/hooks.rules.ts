import type { Json } from '#lib/kernel';
import type { Step } from '../agent/agent-definition.js';
import type { Emitted } from './directive.rules.js';
import { readDirective } from './read-directive.rules.js';
import { askFunction, type Script } from './script.rules.js';
import { type TurnDraft, TurnFailed } from './turn-draft.rules.js';

/**
 * The directive of a hook of a step, before the model or after it.
 * @throws TurnFailed where `prepare` fails; where `finalize` fails, that is recorded, and the turn goes on
 */
export function* runHook(
  turn: TurnDraft,
  step: Step,
  name: 'prepare' | 'finalize',
): Script<readonly Emitted[]> {
  const hook = step[name];
  if (!hook) return [];
  const source = `${name} of ${step.id}`;
  if (!('fn' in hook)) return [{ source, directive: hook }];
  const answer = yield* askFunction({
    kind: 'function',
    id: turn.id(name),
    fnName: hook.fn,
    input: turn.view as object as Json,
  });
  const read = 'failure' in answer ? { refused: answer.failure.message } : readDirective(answer.result);
  if ('directive' in read)
    return Object.keys(read.directive).length > 0 ? [{ source, directive: read.directive }] : [];
  if (name === 'prepare') throw new TurnFailed({ kind: 'tool', message: `${source}: ${read.refused}` });
  turn.chain.push({ source, directive: {}, refused: read.refused });
  return [];
}
