import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { derivedId } from '#lib/kernel';
import {
  answered,
  checkKeyIn,
  type CommandContext,
  CommandWriter,
  currentContext,
  RejectionError,
  type Written,
} from '#lib/operations';
import {
  arrivedProposal,
  currentRound,
  findRound,
  type ProposalView,
  type Session,
  type SessionEvent,
  sessionRejections,
} from '#lib/session';
import type { Proposer } from '#lib/specialist';
import { Solicitor } from './solicitations/solicitor.js';
import { Proposers } from './solicitations/proposers.js';
import { roundContext, type RoundContext, sessionRulesFor } from './round-context.js';
import { checkCallerInput } from './check-caller-input.js';
import { ProposerFailed } from './solicitations/proposer-failed.js';
import { SubmitProposal, type SubmitProposalInput } from './submit-proposal.operation.js';

@CommandHandler(SubmitProposal)
export class SubmitProposalHandler implements ICommandHandler<SubmitProposal> {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly proposers: Proposers,
    private readonly solicitor: Solicitor,
  ) {}

  async execute(command: SubmitProposal): Promise<ProposalView> {
    return answered(await this.submit(Object.assign({}, command), currentContext()));
  }

  private async submit(input: SubmitProposalInput, context: CommandContext): Promise<Written<ProposalView>> {
    const { sessionId, transitionName } = input;
    checkCallerInput(input);
    const history = await this.log.load<SessionEvent>(this.log.streams.of('session', sessionId));
    checkKeyIn(history, context);
    const place = roundContext(history, sessionId);
    const { roundId = currentRound(place.session).roundId } = input;
    const proposer = await this.proposers.find(input.specialistId, inRound(place, roundId), context);
    if (transitionName === undefined) return this.ask(proposer, { ...input, roundId }, context);
    return this.state(proposer, { ...input, roundId, transitionName }, context);
  }

  private async state(
    { isHuman, specialistId, version: specialistVersion }: Proposer,
    input: SubmitProposalInput & { readonly transitionName: string },
    context: CommandContext,
  ): Promise<Written<ProposalView>> {
    const data = {
      ...input,
      specialistVersion,
      isHuman,
      proposalId: derivedId(context.commandId, 'proposal'),
    };
    const target = { category: 'session', id: input.sessionId } as const;
    const answer = await this.writer.send(
      sessionRulesFor(context),
      target,
      { type: 'SubmitProposal', data },
      { ...context, ...(isHuman && { actor: specialistId }) },
    );
    const [event] = answer.events;
    if (event?.type !== 'ProposalSubmitted' && event?.type !== 'ProposalSetAside')
      throw new TypeError('no proposal');
    return {
      value: arrivedProposal(input.sessionId, event, answer.occurredAt),
      position: answer.position,
      created: true,
    };
  }

  private async ask(
    proposer: Proposer,
    input: SubmitProposalInput & { readonly roundId: string },
    context: CommandContext,
  ): Promise<Written<ProposalView>> {
    const { sessionId, specialistId, roundId, transitionName: _none, ...given } = input;
    const execution = this.proposers.executionOf(proposer);
    const { version: specialistVersion } = proposer;
    const question = { sessionId, specialistId, specialistVersion, roundId, given, execution };
    const closing = await this.solicitor.solicit(question, context);
    const { position } = closing;
    if (closing.type === 'ProposalFailed') {
      const { solicitationId, failure } = closing.data;
      throw new ProposerFailed(sessionId, specialistId, solicitationId, failure, position);
    }
    if (closing.type === 'ProposalSetAside' && closing.data.reason === 'duplicate') {
      throw new RejectionError(sessionRejections.duplicateProposal(specialistId), position);
    }
    return { value: arrivedProposal(sessionId, closing, closing.occurredAt), position, created: true };
  }
}

/** The round that a proposal is for: in a past one it is the state of then that says who takes part. */
function inRound({ session, ...began }: RoundContext<Session>, roundId: string): RoundContext {
  const { state } = findRound(session, roundId) ?? currentRound(session);
  return { session: { ...session, currentState: state }, ...began };
}
