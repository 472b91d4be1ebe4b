import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { derivedId, type RecordedEvent } from '#lib/kernel';
import { Proposal } from '#lib/decisions/metrics';
import {
  answered,
  checkKeyIn,
  type CommandContext,
  CommandWriter,
  currentContext,
  input,
  type InputOf,
  is,
  Operation,
  RejectionError,
  type Written,
} from '#lib/operations';
import {
  arrivedProposal,
  currentRound,
  findRound,
  type ProposalView,
  type Session,
  sessionDecider,
  type SessionEvent,
  sessionRejections,
} from '#lib/decisions/session';
import type { Proposer } from '#lib/decisions/specialists';
import { Authors } from './authors.js';
import { type ClosingEvent, ProposerFailed, Solicitor } from './solicitations/solicitor.js';
import { Proposers, specialistStream } from './solicitations/proposers.js';
import {
  checkCallerInput,
  chosenRound,
  type RoundContext,
  roundContext,
  sessionRulesFor,
  sessionStream,
} from './round-context.js';
import { costMembers } from './sessions.views.js';

@Operation({
  summary: 'Propose a transition for a specialist; without one the specialist is asked, and its model called',
  http: 'POST /v1/sessions/:sessionId/proposals',
  cli: 'propose <sessionId> [transitionName] --as <specialistId>',
  mcp: 'propose',
  access: 'reviewer',
  answers: { 201: Proposal },
  problems: [502, 503],
  reads: streamsOfProposal,
})
export class SubmitProposal extends input(Command<Proposal>, {
  sessionId: is.idOf(sessionRejections.unknownSession),
  specialistId: is.name.about('The proposer', { example: 'clerk' }),
  roundId: is.text.optional.about('Default: the current round. For a past one the proposal is kept as late'),
  transitionName: is.text.optional.about(
    'States this proposal without asking the proposer: a transition that the state offers',
  ),
  reasoning: is.text.optional.about('Why'),
  metaJson: is.object().optional.about('Data of the proposal'),
  ...costMembers,
}) {}

/** The input of `submitProposal`. */
export type SubmitProposalInput = InputOf<typeof SubmitProposal>;

@CommandHandler(SubmitProposal)
export class SubmitProposalHandler implements ICommandHandler<SubmitProposal> {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly proposers: Proposers,
    private readonly authors: Authors,
    private readonly solicitor: Solicitor,
  ) {}

  async execute(command: SubmitProposal): Promise<ProposalView> {
    return answered(await this.submit(Object.assign({}, command), currentContext()));
  }

  private async submit(input: SubmitProposalInput, context: CommandContext): Promise<Written<ProposalView>> {
    const { sessionId, transitionName } = input;
    checkCallerInput(input);
    const streams = context.ahead ?? this.log;
    const history = await streams.load<SessionEvent>(sessionStream(input, this.log)[0]);
    const [before] = checkKeyIn(history, context);
    if (before) return this.repeated(input, before);
    const round = roundContext(history, sessionId);
    const { roundId = chosenRound(round.session, context) } = input;
    const proposer = await this.proposers.find(input.specialistId, inRound(round, roundId), streams);
    if (transitionName === undefined)
      return this.ask(proposer, round.session, { ...input, roundId }, context);
    const { by } = (await this.author(proposer, round.session, context)) ?? {};
    const author = by !== undefined && { by };
    return this.state(proposer, { ...input, roundId, transitionName, ...author }, context);
  }

  /** The person who states the proposal. Programs, and people, may also state one for a model that this process does not ask. */
  private async author(proposer: Proposer, session: Session, context: CommandContext) {
    return proposer.isHuman
      ? this.authors.of(proposer, session, context)
      : this.authors.caller(context, session);
  }

  private async state(
    { isHuman, version: specialistVersion }: Proposer,
    input: SubmitProposalInput & { readonly transitionName: string; readonly by?: string },
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
      context,
    );
    return this.stated(input.sessionId, answer.events[0]);
  }

  /** The answer of an earlier call, from its event alone: later changes do not matter. */
  private async repeated(
    { sessionId, specialistId }: SubmitProposalInput,
    event: RecordedEvent<SessionEvent>,
  ): Promise<Written<ProposalView>> {
    if (event.type !== 'ProposalSolicited') return this.stated(sessionId, event);
    const { solicitationId } = event.data;
    return this.asked(sessionId, specialistId, await this.solicitor.finish(sessionId, solicitationId));
  }

  private stated(sessionId: string, event: RecordedEvent<SessionEvent> | undefined): Written<ProposalView> {
    if (event?.type !== 'ProposalSubmitted' && event?.type !== 'ProposalSetAside')
      throw new TypeError('no proposal');
    const { position, occurredAt } = event;
    return { value: arrivedProposal(sessionId, event, occurredAt), position, created: true };
  }

  private async ask(
    proposer: Proposer,
    session: Session,
    input: SubmitProposalInput & { readonly roundId: string },
    context: CommandContext,
  ): Promise<Written<ProposalView>> {
    const { sessionId, specialistId, roundId, transitionName: _none, ...given } = input;
    const execution = this.proposers.executionOf(proposer);
    const { version: specialistVersion } = proposer;
    const question = { session, specialistId, specialistVersion, roundId, given, execution };
    return this.asked(sessionId, specialistId, await this.solicitor.solicit(question, context));
  }

  private asked(sessionId: string, specialistId: string, closing: ClosingEvent): Written<ProposalView> {
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

/** The round of a proposal. In a past round the specialists are those of its state. */
function inRound({ session, ...began }: RoundContext<Session>, roundId: string): RoundContext {
  const { state } = findRound(session, roundId) ?? currentRound(session);
  return { session: { ...session, currentState: state }, ...began };
}

/** The streams of the session and of the specialist. The machine is part of the latter's name: it is known only for a session in memory. */
function streamsOfProposal(
  { sessionId, specialistId }: SubmitProposalInput,
  log: EventLog,
): readonly string[] {
  const [stream] = sessionStream({ sessionId }, log);
  const session = log.known<SessionEvent>(stream)?.state(sessionDecider);
  return session ? [stream, ...specialistStream(log, specialistId, session)] : [stream];
}
