import { type Json, jsonText } from '#lib/kernel';
import { renderTemplate } from '#lib/call-rules';
import type { Flow, Instruction, Step } from '../agent/agent-definition.js';
import { missingIn } from '../agent/data.rules.js';
import type { TurnDraft } from './turn-draft.rules.js';

/** A named part of a prompt. */
export interface Section {
  readonly name: string;
  readonly text: string;
}

/**
 * The messages of a question: sections of the agent first, then the conversation, then this question. So a request shares its
 * beginning with the other requests of its turn and of the turn before.
 * @param said the agent's message, after the answer
 */
export function purposeMessages(
  turn: TurnDraft,
  question: readonly Section[],
  said?: string,
): readonly Json[] {
  const { summary, history } = turn.given;
  return [
    { role: 'system', content: sectionsText(agentSections(turn)) },
    ...(summary ? [{ role: 'system', content: `## Earlier\n${summary.text}` }] : []),
    ...(history as readonly Json[]),
    { role: 'user', content: turn.given.text },
    ...(said === undefined ? [] : [{ role: 'assistant', content: said }]),
    { role: 'system', content: sectionsText(question) },
  ];
}

function sectionsText(sections: readonly Section[]): string {
  return sections.map(({ name, text }) => `## ${name}\n${text}`).join('\n\n');
}

/** A rendered template; the template itself if it cannot be rendered within the allowance. */
export function rendered(turn: TurnDraft, template: string): string {
  return turn.computed((allowance) => {
    allowance.spend(template.length / CHARACTERS_PARSED);
    try {
      return renderTemplate(template, turn.view, allowance);
    } catch {
      return template;
    }
  }, template);
}

/** Characters of a template that one step of the allowance parses. */
const CHARACTERS_PARSED = 2;

function agentSections(turn: TurnDraft): readonly Section[] {
  const { agentName, goal, persona, terms = [], knowledgeBase } = turn.agent;
  const identity = [
    `You are ${agentName}.`,
    ...(persona === undefined ? [] : [rendered(turn, persona)]),
    ...(goal === undefined ? [] : [`Your goal: ${goal}`]),
  ];
  const glossary = terms.map(({ name, description, synonyms = [] }) =>
    [`- ${name}`, synonyms.length > 0 ? ` (also: ${synonyms.join(', ')})` : '', `: ${description}`].join(''),
  );
  return [
    { name: 'Identity', text: identity.join('\n') },
    ...(glossary.length > 0 ? [{ name: 'Glossary', text: glossary.join('\n') }] : []),
    ...(knowledgeBase ? [{ name: 'Knowledge base', text: jsonText(knowledgeBase) }] : []),
  ];
}

/** An instruction in its scope. */
export interface ScopedInstruction {
  readonly instruction: Instruction;
  readonly scope: 'global' | 'flow' | 'step';
  readonly scopeRef?: string;
  readonly caption: string;
}

/** The instructions of the agent, of its flow and of its step, in this order. */
export function scopedInstructions({ agent, flow, step, version }: TurnDraft): readonly ScopedInstruction[] {
  const all: readonly ScopedInstruction[] = [
    ...agent.instructions.map((instruction) => ({
      instruction,
      scope: 'global' as const,
      caption: '[Always]',
    })),
    ...(flow?.instructions ?? []).map((instruction) => ({
      instruction,
      scope: 'flow' as const,
      scopeRef: (version < 3 ? flow?.id : flow?.title) ?? '',
      caption: `[In: ${flow?.title}]`,
    })),
    ...(step?.instructions ?? []).map((instruction) => ({
      instruction,
      scope: 'step' as const,
      scopeRef: step?.id ?? '',
      caption: `[Step: ${step?.id}]`,
    })),
  ];
  return all.filter(({ instruction }) => instruction.enabled);
}

/** The conditions of a `when`: at least one of `wanted` must hold, and none of `excluded`. */
export function sidesOf(when: readonly string[]): {
  readonly wanted: readonly string[];
  readonly excluded: readonly string[];
} {
  const texts = when.map((one) => one.trim());
  const isExclusion = (one: string) => one.startsWith('!');
  return {
    wanted: texts.filter((one) => !isExclusion(one)),
    excluded: texts.filter(isExclusion).map((one) => one.slice(1).trim()),
  };
}

/** `- [kind] [scope] text`, with its conditions for the model. */
export function instructionLine(turn: TurnDraft, { instruction, caption }: ScopedInstruction): string {
  const { kind, prompt, when } = instruction;
  const { wanted, excluded } = sidesOf(when);
  const [apply, leave] = turn.version < 3 ? ['when', 'not when'] : ['apply only when', 'do not apply when'];
  const suffix = [
    ...(wanted.length > 0 ? [` (${apply}: ${wanted.join(' OR ')})`] : []),
    ...(excluded.length > 0 ? [` (${leave}: ${excluded.join(' OR ')})`] : []),
  ];
  return `- [${kind}] ${caption} ${rendered(turn, prompt)}${suffix.join('')}`;
}

/** Sections about the position of the conversation. */
export function positionSections(turn: TurnDraft): readonly Section[] {
  const { flow, step, data } = turn;
  const known = Object.keys(data).length > 0 ? [{ name: 'Known data', text: jsonText(data) }] : [];
  if (!flow) return known;
  const prompt = step?.prompt === undefined ? [] : [rendered(turn, step.prompt)];
  const missing = missingIn(data, step?.collect ?? []);
  const lines = [
    ...(step?.description === undefined ? [] : [step.description]),
    ...prompt,
    ...(missing.length > 0 ? [`Ask for: ${missing.join(', ')}`] : []),
  ];
  return [
    { name: 'Flow', text: flowText(flow) },
    ...known,
    ...(lines.length > 0 ? [{ name: 'Step', text: lines.join('\n') }] : []),
  ];
}

/** The line of a step among those to choose from. */
export function stepLine({ id, description, prompt }: Step): string {
  return `- ${id}: ${description ?? prompt ?? ''}`;
}

export function flowText({ title, description }: Pick<Flow, 'title' | 'description'>): string {
  return description === undefined ? title : `${title}: ${description}`;
}
