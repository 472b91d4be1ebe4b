import type { JsonObject } from '#lib/kernel';
import { type Flow, flowNamed, type Step, stepKind } from '../agent/agent-definition.js';
import { directiveProblems } from '../agent/directive-problems.rules.js';
import { holds } from './conditions.rules.js';
import { type Emitted, mergeDirectives, withoutModelParts } from './directive.rules.js';
import { extract } from './extract.rules.js';
import {
  instructionLine,
  positionSections,
  purposeMessages,
  rendered,
  scopedInstructions,
  type ScopedInstruction,
  type Section,
} from './prompts.rules.js';
import { readMessage } from './reply.rules.js';
import { route } from './route.rules.js';
import { askModel, type Script, together } from './script.rules.js';
import { followingStep, nextStep } from './steps.rules.js';
import { TurnDraft, TurnFailed } from './turn-draft.rules.js';
import type { TurnGiven } from './turn-given.js';
import type { StoppedReason, TurnFailure, TurnResult } from './turn-result.js';

export type TurnOutcome =
  { readonly result: Omit<TurnResult, 'usage' | 'llmCalls'> } | { readonly failure: TurnFailure };

type Ended = { readonly message: string; readonly stoppedReason: StoppedReason };

/** One turn of a conversation, in the fixed order: extraction, pending directive or routing, steps, the answer, what follows it. */
export function* turnScript(given: TurnGiven): Script<TurnOutcome> {
  const turn = new TurnDraft(given);
  try {
    const ended = yield* wholeTurn(turn);
    return { result: turn.result(ended) };
  } catch (error) {
    if (error instanceof TurnFailed) return { failure: error.failure };
    throw error;
  }
}

function* wholeTurn(turn: TurnDraft): Script<Ended> {
  turn.extracted = yield* extract(turn);
  const { pendingDirective } = turn.given;
  const collects = turn.step?.collect.some((name) => turn.extracted.includes(name)) ?? false;
  let bullets: readonly string[] = [];
  if (pendingDirective) {
    const ended = applyBefore(turn, [{ source: 'pending directive', directive: pendingDirective }]);
    if (ended) return ended;
  } else if (!collects) {
    const { flow, responseDirectives } = yield* route(turn);
    bullets = responseDirectives;
    if (flow && flow.id !== turn.flow?.id) turn.enter(flow);
    if (!flow) turn.leave('goto_flow');
  }
  return yield* walk(turn, bullets);
}

/** Passes flows and steps until something is said. */
function* walk(turn: TurnDraft, bullets: readonly string[]): Script<Ended> {
  for (;;) {
    const { flow } = turn;
    if (!flow) {
      const stoppedReason = turn.status === 'completed' ? 'completed' : 'needs_input';
      return { message: yield* respond(turn, bullets), stoppedReason };
    }
    const next = yield* nextStep(turn, flow);
    if (next === 'flow-completed') {
      complete(turn, flow);
      continue;
    }
    if (next === 'last-step') return { message: yield* respond(turn, bullets), stoppedReason: 'last_step' };
    if ('execute' in next) return yield* execute(turn, flow, next.execute, bullets);
    const ended = applyBefore(turn, [next]);
    if (ended) return ended;
  }
}

/** The one step of the turn that says something, and where the conversation stands after it. */
function* execute(turn: TurnDraft, flow: Flow, step: Step, bullets: readonly string[]): Script<Ended> {
  turn.executedSteps.push({ flowId: flow.id, stepId: step.id, kind: stepKind(step) });
  const message = step.reply === undefined ? yield* respond(turn, bullets) : rendered(turn, step.reply);
  // The model does not write data: a step that collects is satisfied by the next message at the earliest.
  if (step.collect.length > 0) return { message, stoppedReason: 'needs_input' };
  const following = yield* followingStep(turn, flow, step);
  if (following !== 'end' && 'directive' in following) return { message, ...applyAfter(turn, [following]) };
  if (following !== 'end') {
    turn.step = following.step;
    return { message, stoppedReason: 'needs_input' };
  }
  if (flow.requiredFields.length > 0) return { message, stoppedReason: 'last_step' };
  complete(turn, flow);
  return { message, stoppedReason: 'completed' };
}

/** Leaves a flow that is complete, for the one that follows it where there is one. */
function complete(turn: TurnDraft, { id, onComplete }: Flow): void {
  turn.leave('completed');
  const next = onComplete === undefined ? undefined : flowNamed(turn.agent.flows, onComplete);
  if (!next) {
    turn.status = 'completed';
    return;
  }
  turn.link(`onComplete of ${id}`, { goTo: next.id });
  turn.enter(next);
}

/** Applies what was emitted before the model. @returns the end of the turn, where it ends it */
function applyBefore(turn: TurnDraft, emitted: readonly Emitted[]): Ended | undefined {
  const accepted = acceptable(turn, emitted);
  const { reply, halt, dataUpdate, contextUpdate } = mergeDirectives(accepted, 'before');
  if (!turn.updateData(dataUpdate)) return { message: '', stoppedReason: 'validation_error' };
  turn.updateContext(contextUpdate);
  if (move(turn, accepted) === 'aborted') return { message: '', stoppedReason: 'aborted' };
  if (reply !== undefined) return { message: reply, stoppedReason: 'reply' };
  return halt ? { message: '', stoppedReason: 'halt' } : undefined;
}

/** Applies what was emitted after the model: where it leads is where the next turn begins. */
function applyAfter(
  turn: TurnDraft,
  emitted: readonly Emitted[],
): { readonly stoppedReason: StoppedReason; readonly message?: string } {
  const accepted = acceptable(turn, emitted);
  const { reply, dataUpdate, contextUpdate } = mergeDirectives(accepted, 'after');
  if (!turn.updateData(dataUpdate)) return { stoppedReason: 'validation_error' };
  turn.updateContext(contextUpdate);
  const stoppedReason = move(turn, accepted) ?? 'needs_input';
  return { stoppedReason, ...(reply !== undefined && { message: reply }) };
}

/** A directive that names what is not there is refused and recorded, and the turn goes on. */
function acceptable(turn: TurnDraft, emitted: readonly Emitted[]): readonly Emitted[] {
  const { schema, flows } = turn.agent;
  return emitted.filter(({ source, directive }) => {
    const { dataUpdate: _, ...targets } = directive;
    const scope = { schema, flows, ...(turn.flow && { flow: turn.flow }) };
    const [problem] = Object.keys(targets).length > 0 ? directiveProblems(targets, scope) : [];
    if (problem) turn.chain.push({ source, directive, refused: `${problem.path} ${problem.message}`.trim() });
    return !problem;
  });
}

/** Moves to the strongest position. @returns what it ended, where it ended something */
function move(turn: TurnDraft, emitted: readonly Emitted[]): 'aborted' | 'completed' | undefined {
  const { position, source = '' } = mergeDirectives(emitted, 'after');
  const strongest = emitted.findLast((one) => one.source === source);
  if (!position || !strongest) return undefined;
  turn.link(source, withoutModelParts(strongest.directive));
  if (position.to === 'abort') {
    turn.leave('aborted');
    turn.status = 'aborted';
    if (position.clearSession) clear(turn);
    return 'aborted';
  }
  if (position.to !== 'complete') {
    turn.moveTo(position);
    return undefined;
  }
  if (turn.flow) complete(turn, turn.flow);
  if (position.next) turn.pendingDirective = withoutModelParts(position.next);
  return 'completed';
}

function clear(turn: TurnDraft): void {
  turn.isCleared = true;
  turn.data = { ...turn.agent.initialData };
  turn.completed.clear();
}

const RESPOND: JsonObject = {
  type: 'object',
  properties: { message: { type: 'string' } },
  required: ['message'],
  additionalProperties: false,
};

/** @throws TurnFailed where the model gives no message */
function* respond(turn: TurnDraft, bullets: readonly string[]): Script<string> {
  const applied = yield* appliedInstructions(turn);
  const lines = applied.map((one) => instructionLine(turn, one));
  const sections: readonly Section[] = [
    ...(lines.length > 0 ? [{ name: 'Instructions', text: lines.join('\n') }] : []),
    ...positionSections(turn),
    ...(bullets.length > 0
      ? [{ name: 'Directives', text: bullets.map((one) => `- ${one}`).join('\n') }]
      : []),
    { name: 'Answer', text: 'Answer the user as JSON: {"message": "…"}.' },
  ];
  const answer = yield* askModel({
    kind: 'model',
    id: turn.id('respond'),
    purpose: 'respond',
    schema: RESPOND,
    messages: purposeMessages(turn, sections),
  });
  const message = readMessage(answer);
  if (message !== undefined) return message;
  if ('failure' in answer) throw new TurnFailed(answer.failure);
  throw new TurnFailed({ kind: 'unusable-reply', message: 'The model answered without a message.' });
}

/** Those whose predicates hold; when to follow one, the model judges by its text. */
function* appliedInstructions(turn: TurnDraft): Script<readonly ScopedInstruction[]> {
  const scoped = scopedInstructions(turn);
  const found = yield* together(
    scoped.map(({ instruction }) => holds(turn, { when: [], if: instruction.if })),
  );
  const applied = scoped.filter((_, index) => found[index]);
  turn.appliedInstructions.push(
    ...applied.map(({ instruction, scope, scopeRef }) => ({
      id: instruction.id,
      scope,
      ...(scopeRef !== undefined && { scopeRef }),
    })),
  );
  return applied;
}
