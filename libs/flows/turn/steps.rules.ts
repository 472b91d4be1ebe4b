import { closedSchema } from '#lib/json-schema';
import { type Branch, type Flow, flowNamed, type Step, stepKind } from '../agent/agent-definition.js';
import { hasAll, missingIn } from '../agent/data.rules.js';
import { applyBefore, type Ended } from './apply.rules.js';
import { anyHolds, holds, those } from './conditions.rules.js';
import type { Emitted } from './directive.rules.js';
import { enterStep } from './entering.rules.js';
import { stepLine } from './prompts.rules.js';
import { askObject } from './question.rules.js';
import type { Steps } from '#lib/workflow';
import { type TurnDraft, TurnFailed } from './turn-draft.rules.js';

type Target = { readonly step: Step } | Emitted;

/** The next move of a turn. */
export type Next =
  | { readonly execute: Step }
  | { readonly ended: Ended }
  /** A directive changed the position. */
  | 'moved'
  | 'flow-completed'
  /** No step is left, and required data are missing. */
  | 'last-step';

/** The most steps passed in a turn: branches may form a cycle. */
const MOST_PASSES = 256;

/**
 * Passes steps without an answer (auto, satisfied, or not applicable) up to the step that answers. Passed auto steps are
 * recorded.
 * @throws TurnFailed if it passes too many steps, or an auto step lacks required data
 */
export function* nextStep(turn: TurnDraft, flow: Flow): Steps<Next> {
  let answering: Step | undefined;
  for (;;) {
    if (turn.isFlowSatisfied) return 'flow-completed';
    const step = turn.step;
    if (!step) return flow.requiredFields.length === 0 ? 'flow-completed' : lastStep(turn, answering);
    turn.passed.push(step.id);
    if (turn.passed.length > MOST_PASSES) throw tooManySteps(turn.passed);
    const applies = yield* isApplicable(turn, step);
    if (applies && !hasAll(turn.data, step.requires)) return yield* unmet(turn, flow, step, answering);
    if (applies && stepKind(step) !== 'auto' && !isSatisfied(turn, step)) return { execute: step };
    if (applies && stepKind(step) === 'auto') {
      // Only auto steps are recorded before the answer.
      turn.executedSteps.push({ flowId: flow.id, stepId: step.id, kind: 'auto' });
      if (turn.executedSteps.length > turn.agent.maxAutoStepsPerTurn) throw tooManySteps(turn.passed);
      const applied = yield* enterStep(turn, step);
      if (applied !== 'stayed') return applied;
    }
    if (applies) answering = stepKind(step) === 'auto' ? answering : step;
    const branch = applies ? yield* branchOf(turn, flow, step) : undefined;
    if (branch && 'directive' in branch) {
      const applied = yield* applyBefore(turn, [branch]);
      if (applied !== 'stayed') return applied;
    }
    turn.toStep(branch && 'step' in branch ? branch.step : yield* successor(turn, flow, step));
  }
}

/** Whether the step's data are collected. A step that collects no data is never satisfied. */
export function isSatisfied({ data }: TurnDraft, step: Step): boolean {
  const { collect } = step;
  return stepKind(step) === 'llm' && collect.length > 0 && hasAll(data, collect);
}

function* isApplicable(turn: TurnDraft, step: Step): Steps<boolean> {
  if (!(yield* holds(turn, step))) return false;
  return !(yield* anyHolds(turn, step.skip));
}

/** The target of the first branch that applies. */
export function* branchOf(turn: TurnDraft, flow: Flow, step: Step): Steps<Target | undefined> {
  const branch = yield* firstBranch(turn, step.branches ?? []);
  return branch && targetOf(turn, flow, step, branch);
}

/** The step of `next`; of several the model chooses. */
export function* successor(turn: TurnDraft, flow: Flow, { next }: Step): Steps<Step | undefined> {
  const candidates = flow.steps.filter(({ id }) => next.includes(id));
  return candidates.length > 1 ? yield* chosenStep(turn, candidates) : candidates[0];
}

/** The first branch that applies. Branches before the first without conditions are judged at the same time. */
function* firstBranch(turn: TurnDraft, branches: readonly Branch[]): Steps<Branch | undefined> {
  const always = branches.findIndex((one) => one.when.length === 0 && one.if.length === 0);
  const judged = always < 0 ? branches : branches.slice(0, always);
  const [first] = yield* those(judged, (one) => holds(turn, one));
  return first ?? branches[always];
}

/** A step of this flow goes before a flow of the same name. */
function targetOf({ agent }: TurnDraft, flow: Flow, { id }: Step, { then, label }: Branch): Target {
  const source = `branch ${label ?? ''} of ${flow.id}/${id}`.replace('  ', ' ');
  if (typeof then !== 'string') return { directive: then, source };
  const step = flow.steps.find((one) => one.id === then);
  if (step) return { step };
  return { directive: { goTo: flowNamed(agent.flows, then)?.id ?? then }, source };
}

/** The successor that the router chose, else the model; the first if its answer names none. */
function* chosenStep(turn: TurnDraft, candidates: readonly Step[]): Steps<Step | undefined> {
  const open = yield* those(candidates, (one) => isApplicable(turn, one));
  const [first, ...others] = open;
  if (others.length === 0) return first;
  const routed = open.find((one) => one === turn.routedStep);
  if (routed) return routed;
  const stepId = { type: 'string', enum: open.map(({ id }) => id) };
  const text = ['Choose the step that comes next.', ...open.map(stepLine)].join('\n');
  const { stepId: chosen } = yield* askObject(turn, {
    purpose: 'choose_step',
    schema: closedSchema({ stepId }, ['stepId']),
    section: { name: 'Next step', text },
  });
  return open.find(({ id }) => id === chosen) ?? first;
}

/**
 * The passed step answers and becomes current. If none was passed, from version 4 on the last earlier step that may be entered does, if there
 * is one.
 */
function* unmet(turn: TurnDraft, flow: Flow, step: Step, passed: Step | undefined): Steps<Next> {
  if (stepKind(step) === 'auto') {
    const missing = missingIn(turn.data, step.requires).join(', ');
    const message = `The auto step ${step.id} requires data that are missing: ${missing}.`;
    throw new TurnFailed({ kind: 'requires', message });
  }
  const answering = passed ?? (turn.version > 3 ? yield* answeringBefore(turn, flow, step) : undefined);
  if (answering) turn.toStep(answering);
  return { execute: answering ?? step };
}

/** The last step before this one that may be entered. */
function* answeringBefore(turn: TurnDraft, { steps }: Flow, step: Step): Steps<Step | undefined> {
  for (const one of steps.slice(0, steps.indexOf(step)).toReversed()) {
    const mayAnswer = stepKind(one) !== 'auto' && hasAll(turn.data, one.requires);
    if (mayAnswer && (yield* isApplicable(turn, one))) return one;
  }
  return undefined;
}

function lastStep(turn: TurnDraft, answering: Step | undefined): Next {
  turn.toStep(answering ?? turn.flow?.steps.at(-1));
  return 'last-step';
}

function tooManySteps(passed: readonly string[]): TurnFailed {
  const shown = passed.slice(0, 20).join(' → ');
  return new TurnFailed({ kind: 'max-auto-steps', message: `The turn passes steps without end: ${shown}` });
}
