import { positionOf } from '../turn/directive.rules.js';
import type { Directive } from './directive-definition.js';
import { type Agent, type Branch, type Flow, flowNamed } from './agent-definition.js';

/** The flows of an agent as a Mermaid flowchart: a subgraph for each flow, solid arrows for successors, dotted arrows for branches. */
export function agentDiagram(agent: Agent): string {
  const lines = agent.flows.flatMap((flow, index) => [
    `subgraph f${index}["${label(flow.title)}"]`,
    ...flow.steps.map((step, at) => `  ${nodeOf(index, at)}["${label(step.description ?? step.id)}"]`),
    'end',
  ]);
  const arrows = agent.flows.flatMap((flow, index) => flowArrows(agent, flow, index));
  return `${['flowchart TD', ...[...lines, ...arrows].map((line) => `    ${line}`)].join('\n')}\n`;
}

function flowArrows(agent: Agent, flow: Flow, index: number): readonly string[] {
  const nodeNamed = (id: string) =>
    nodeOf(
      index,
      flow.steps.findIndex((step) => step.id === id),
    );
  const steps = flow.steps.flatMap((step, at) => [
    ...step.next.map((id) => `${nodeOf(index, at)} --> ${nodeNamed(id)}`),
    ...(step.branches ?? []).flatMap((branch) =>
      branchArrow(agent, flow, branch, nodeOf(index, at), nodeNamed),
    ),
  ]);
  const following = agent.flows.findIndex((one) => one === flowNamed(agent.flows, followingFlow(flow)));
  return following < 0 ? steps : [...steps, `f${index} ==> f${following}`];
}

function followingFlow({ hooks: { onComplete } = {} }: Flow): string {
  if (typeof onComplete !== 'object' || 'fn' in onComplete) return '';
  const target = positionOf(onComplete);
  return target?.to === 'flow' ? target.flow : '';
}

function branchArrow(
  agent: Agent,
  flow: Flow,
  { then, when, label: name }: Branch,
  from: string,
  nodeNamed: (id: string) => string,
): readonly string[] {
  const text = label(name ?? when.join(' or '));
  const arrow = text === '' ? '-.->' : `-. "${text}" .->`;
  const target = typeof then === 'string' ? then : targetOf(then, flow);
  if (target === undefined) return [];
  if (flow.steps.some(({ id }) => id === target)) return [`${from} ${arrow} ${nodeNamed(target)}`];
  const index = agent.flows.findIndex((one) => one === flowNamed(agent.flows, target));
  return index < 0 ? [] : [`${from} ${arrow} f${index}`];
}

/** The target of a directive: a step of this flow, or a flow. */
function targetOf(directive: Directive, { id }: Flow): string | undefined {
  const position = positionOf(directive);
  if (position?.to === 'flow') return position.flow;
  if (position?.to !== 'step') return undefined;
  return position.flow === undefined || position.flow === id ? position.step : position.flow;
}

function nodeOf(flow: number, step: number): string {
  return `f${flow}s${step}`;
}

/** The label with Mermaid's character codes for every character with a special meaning. */
function label(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_ .,-]/gu, (character) => `#${character.codePointAt(0)};`);
}
