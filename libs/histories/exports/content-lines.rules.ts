import type { HumanOverrideAccepted, OpenProposal, ProposerContext } from '#lib/decisions/session';
import { textMessages } from '#lib/decisions/solicitation';
import { type Json, type JsonObject, jsonText } from '#lib/kernel';
import type { ContentDataset } from '#lib/read-models';

/** A round that a person decided. */
interface PersonsRound {
  readonly context: ProposerContext;
  readonly decision: HumanOverrideAccepted['data'];
}

/** Earlier decisions in a line, the newest. */
const MOST_HISTORY = 20;
/** Prompts of this version name the arguments of transitions. */
const PROMPT_VERSION = 2;

/** The lines of a round: chats to train a model with, or pairs of a preferred and another answer. */
export const CONTENT_LINES: {
  readonly [dataset in ContentDataset]: (round: PersonsRound) => readonly JsonObject[];
} = {
  training: ({ context, decision }) => [{ messages: [...asked(context), answerOf(decision)] }],
  preferences: ({ context, decision }) =>
    decision.proposals
      .filter((proposal) => isOverridden(proposal, decision))
      .map((proposal) => ({
        input: { messages: asked(context), tools: [], parallel_tool_calls: true },
        preferred_output: [answerOf(decision)],
        non_preferred_output: [answerOf(proposal)],
      })),
};

/** A model's proposal of another transition, or the chosen one if the person changed its arguments. */
function isOverridden(
  proposal: OpenProposal,
  { transitionName, proposalId, edited }: PersonsRound['decision'],
) {
  if (proposal.isHuman) return false;
  return (
    proposal.transitionName !== transitionName || (edited === true && proposal.proposalId === proposalId)
  );
}

/** The messages to a model that is asked for text. */
function asked(context: ProposerContext): Json[] {
  const { metaJson, history } = context;
  const parts = [
    ...(metaJson === undefined ? [] : [`Facts: ${jsonText(metaJson)}`]),
    ...(history.length === 0 ? [] : [`Decisions before: ${jsonText(history.slice(-MOST_HISTORY))}`]),
  ];
  return [...textMessages({ context, version: PROMPT_VERSION }, parts.join('\n\n'))];
}

function answerOf(
  choice: Omit<OpenProposal, 'proposalId' | 'specialistId' | 'specialistVersion' | 'isHuman'>,
) {
  const { transitionName, toState, reasoning, metaJson } = choice;
  const content = jsonText({ transitionName, toState, reasoning, ...(metaJson && { metaJson }) });
  return { role: 'assistant', content };
}
