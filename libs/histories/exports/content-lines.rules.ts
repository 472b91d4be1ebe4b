import type { HumanOverrideAccepted, OpenProposal, ProposerContext } from '#lib/decisions/session';
import { textMessages } from '#lib/decisions/solicitation';
import { type Json, type JsonObject, jsonText } from '#lib/kernel';
import type { ContentDataset } from '#lib/read-models';

/** A round that a person decided. */
interface PersonsRound {
  readonly context: ProposerContext;
  readonly decision: HumanOverrideAccepted['data'];
}

/** The decisions before a round that a line shows: the newest. */
const MOST_HISTORY = 20;
/** With the arguments that transitions take. */
const PROMPT_VERSION = 2;

/** The lines of a round in a file: chats that a model is trained with, or pairs of answers of which the first is preferred. */
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

/** A model's proposal of another transition, or one whose arguments the person changed. */
function isOverridden(
  proposal: OpenProposal,
  { transitionName, proposalId, edited }: PersonsRound['decision'],
) {
  if (proposal.isHuman) return false;
  return (
    proposal.transitionName !== transitionName || (edited === true && proposal.proposalId === proposalId)
  );
}

/** The question as a model gets it that is asked for text. */
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
