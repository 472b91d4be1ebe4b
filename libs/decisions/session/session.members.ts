import {
  type DeclaredEvents,
  type DeclaredMembers,
  forkedFromMembers,
  type MemberKind,
} from '#lib/event-store';
import { machineMembers, trustMembers, versionWithMachine } from '#lib/decisions/machines';
import type { Choice } from './choice.js';
import type { AlignmentSnapshot } from './consensus/alignment-snapshot.js';
import type { ConsensusBasis, ProposalRef } from './consensus/consensus-question.js';
import { spendingMembers, statedMembers } from './proposal.members.js';
import type { ExemplarImported } from './exemplar-import.decider.js';
import type {
  AlignmentScope,
  OpenProposal,
  PastTransition,
  ProposalSubmitted,
  SessionCreated,
  SessionEvent,
} from './session.events.js';
import { forkedDefinition } from './fork/fork.events.js';

function kindsOf<Name extends string>(members: { readonly [Member in Name]: { readonly kind: MemberKind } }) {
  const kinds = Object.entries<{ readonly kind: MemberKind }>(members).map(([name, { kind }]) => [
    name,
    kind,
  ]);
  return Object.fromEntries(kinds) as { readonly [Member in Name]: MemberKind };
}

/** The kinds of `spendingMembers`. */
export const spendingKinds = kindsOf(spendingMembers);
const given = kindsOf(statedMembers);

const choice = {
  ...given,
  transitionName: 'structure',
  toState: 'structure',
} as const satisfies DeclaredMembers<Choice>;

const transition = {
  transitionName: 'structure',
  fromState: 'structure',
  toState: 'structure',
  reasoning: 'content',
  metaJson: 'content',
} as const satisfies DeclaredMembers<PastTransition>;

const openProposal = {
  ...choice,
  proposalId: 'structure',
  specialistId: 'structure',
  specialistVersion: 'structure',
  isHuman: 'structure',
} as const satisfies DeclaredMembers<OpenProposal>;

const proposal = {
  ...openProposal,
  roundId: 'structure',
  by: 'structure',
  solicitationId: 'structure',
} as const satisfies DeclaredMembers<ProposalSubmitted['data']>;

const scope = {
  machineName: 'structure',
  state: 'structure',
} as const satisfies DeclaredMembers<AlignmentScope>;

const alignment = {
  rule: 'structure',
  ruleVersion: 'structure',
  position: 'structure',
  scores: [
    {
      specialistId: 'structure',
      specialistVersion: 'structure',
      score: 'structure',
      comparisons: 'structure',
    },
  ],
} as const satisfies DeclaredMembers<AlignmentSnapshot>;

const proposalRef = {
  proposalId: 'structure',
  specialistId: 'structure',
  specialistVersion: 'structure',
  isHuman: 'structure',
  transitionName: 'structure',
} as const satisfies DeclaredMembers<ProposalRef>;

const basis = {
  arbiter: {
    specialistId: 'structure',
    specialistVersion: 'structure',
    strategyFnName: 'structure',
    strategyWebhookUrl: 'structure',
    webhookTokenName: 'structure',
    threshold: 'structure',
    trust: trustMembers,
  },
  proposals: [proposalRef],
  alignment,
  threshold: 'structure',
  trust: trustMembers,
  quorum: 'structure',
} as const satisfies DeclaredMembers<ConsensusBasis>;

const failure = { kind: 'structure', message: 'content', upstreamStatus: 'structure' } as const;

const clock = { roundId: 'structure', clockId: 'structure' } as const;

const arbitration = { arbitrationId: 'structure', roundId: 'structure' } as const;

const evaluation = {
  ...arbitration,
  ...basis,
  reasoning: 'content',
  margin: 'structure',
  spent: spendingKinds,
} as const;

const created = {
  sessionId: 'structure',
  machineName: 'structure',
  machineVersion: 'structure',
  machineHash: 'derived',
  initialState: 'structure',
  roundId: 'structure',
  by: 'structure',
  clockId: 'structure',
  metaJson: 'content',
  key: 'structure',
  tags: 'content',
  subject: 'structure',
  earlier: [transition],
  machine: machineMembers,
  specialistVersions: 'structure',
  actorTokenHashes: 'derived',
} as const satisfies DeclaredMembers<Omit<SessionCreated['data'], 'forkedFrom'>>;

/** The event catalogue's entries: the current schema version of each type, and the kinds of its members. */
export const sessionEventDefinitions: DeclaredEvents<SessionEvent> = {
  SessionCreated: {
    version: 3,
    members: { ...created, forkedFrom: forkedFromMembers },
    earlier: { 1: created, 2: created },
    upcasters: { 1: (data) => data, 2: (data) => data },
    // Versions that older builds refuse: they would count and drive copies, and read encrypted content as text.
    versionOf: ({ machine, forkedFrom: from, subject }) =>
      (from ?? subject) === undefined ? versionWithMachine(machine) : 3,
  },
  ProposalSolicited: {
    version: 1,
    members: {
      solicitationId: 'structure',
      roundId: 'structure',
      specialistId: 'structure',
      specialistVersion: 'structure',
      by: 'structure',
      given,
    },
  },
  ProposalSubmitted: { version: 1, members: proposal },
  ProposalSetAside: {
    version: 1,
    // The proposer wrote these names: the machine may not have them.
    members: { ...proposal, transitionName: 'content', toState: 'content', reason: 'structure' },
  },
  ProposalFailed: {
    version: 1,
    members: {
      solicitationId: 'structure',
      roundId: 'structure',
      specialistId: 'structure',
      failure,
      costUSD: 'structure',
    },
  },
  ArbitrationRequested: { version: 1, members: { ...arbitration, ...basis, given } },
  ConsensusReached: { version: 1, members: { ...evaluation, winningProposalId: 'structure' } },
  ConsensusNotReached: { version: 1, members: { ...evaluation, leftToPeople: 'structure' } },
  VerdictSetAside: {
    version: 1,
    members: {
      ...arbitration,
      verdict: {
        ...spendingKinds,
        consensusReached: 'structure',
        // The arbiter wrote it: there may be no such proposal.
        winningProposalId: 'content',
        reasoning: 'content',
        margin: 'structure',
      },
      reason: 'structure',
    },
  },
  ArbitrationFailed: { version: 1, members: { ...arbitration, failure } },
  HumanInputRequested: {
    version: 1,
    members: {
      roundId: 'structure',
      reason: 'structure',
      detail: 'content',
      clockId: 'structure',
      endsClocks: 'structure',
    },
  },
  SessionForked: forkedDefinition,
  ClockStarted: {
    version: 2,
    members: { ...clock, timed: 'structure' },
    earlier: { 1: clock },
    upcasters: { 1: (data) => data },
    versionOf: ({ timed }) => (timed ? 2 : 1),
  },
  SessionClosed: {
    version: 1,
    members: {
      roundId: 'structure',
      reason: 'content',
      by: 'structure',
      endsClocks: 'structure',
      endsSolicitations: 'structure',
      endsArbitrations: 'structure',
    },
  },
  ClockEnded: {
    version: 1,
    members: { ...clock, failure: { kind: 'structure', message: 'content' } },
  },
  ApprovalGiven: {
    version: 1,
    members: {
      ...arbitration,
      specialistId: 'structure',
      specialistVersion: 'structure',
      by: 'structure',
      proposalId: 'structure',
      edited: 'structure',
      transitionName: 'structure',
      toState: 'structure',
      reasoning: 'content',
      metaJson: 'content',
    },
  },
  HumanOverrideAccepted: {
    version: 1,
    members: {
      ...arbitration,
      ...transition,
      specialistId: 'structure',
      specialistVersion: 'structure',
      by: 'structure',
      proposalId: 'structure',
      edited: 'structure',
      scope,
      // As in the state of sessions: with the members of `ProposalSubmitted` that the type leaves out.
      proposals: [proposal],
      alignment,
      spent: spendingKinds,
    },
  },
  TransitionExecuted: {
    version: 1,
    members: {
      ...transition,
      roundId: 'structure',
      nextRoundId: 'structure',
      isHuman: 'structure',
      decidedBy: 'structure',
      by: 'structure',
      proposalId: 'structure',
      timedBy: 'structure',
      clockId: 'structure',
      endsClocks: 'structure',
    },
  },
};

/** The catalogue's entries of streams of the category `exemplars`; the id is that of the import. */
export const exemplarEventDefinitions: DeclaredEvents<ExemplarImported> = {
  ExemplarImported: {
    version: 1,
    members: {
      ...transition,
      exemplarId: 'structure',
      specialistId: 'structure',
      sessionMetaJson: 'content',
      scope,
      proposals: [openProposal],
      decidedAt: 'structure',
    },
  },
};
