import type { MachineDefinition } from '#lib/decisions/machines';
import { effectiveThreshold, type ProposalSubmitted, type TransitionExecuted } from '#lib/decisions/session';
import type { DocOf, NumberedEvent, Page, SeenDoc } from '../loop/declare.js';
import { dayOf, storedTime } from '../store/stored-values.js';
import {
  decisionDays,
  type DecisionKind,
  decisions,
  decisionTotals,
  decisionWins,
  openRounds,
  type RoundBasis,
} from './decisions.tables.js';

type RoundTable = (typeof openRounds)['table'];
type Round = SeenDoc<RoundTable>;

type RoundName = Pick<Round, 'sessionId' | 'roundId'>;

/** Adds a counting proposal to its round. */
export function addToRound(page: Page, event: NumberedEvent<ProposalSubmitted>, sessionId: string): void {
  const { roundId, specialistId, isHuman, transitionName } = event.data;
  const round = openRound(page, { sessionId, roundId });
  round.first ??= event.number;
  round.proposals = [...round.proposals, { specialistId, isHuman, transitionName }];
}

/** Adds the decision of an arbiter or a person to its round. */
export function addBasis(page: Page, name: RoundName, basis: RoundBasis): void {
  openRound(page, name).basis = basis;
}

/** Adds an executed transition: its round is over. */
export function decided(
  page: Page,
  event: NumberedEvent<TransitionExecuted>,
  of: {
    readonly sessionId: string;
    readonly machineName: string;
    readonly machine: MachineDefinition;
    readonly isFork: boolean;
  },
): void {
  const { data, occurredAt: decidedAt, revision, position, number } = event;
  const { sessionId, machineName, machine, isFork } = of;
  const found = page.see(openRounds, sessionId);
  const round = found?.roundId === data.roundId ? found : undefined;
  page.drop(openRounds, sessionId);
  const otherwise = data.timedBy === undefined ? 'operator' : 'timer';
  const { how = otherwise, margin, threshold, edited = false, ...basis } = round?.basis ?? {};
  const kind = kindOf(round, data.transitionName) ?? otherwise;
  page.add(decisions, {
    sessionId,
    machineName,
    revision,
    how,
    kind,
    hasBasis: round?.basis !== undefined,
    winningProposalId: data.proposalId,
    margin,
    threshold: threshold ?? effectiveThreshold(machine, data.fromState, {}),
    ...('alignment' in basis && { basis }),
    decidedAt,
    position,
    first: round?.first,
    isFork,
    isEdited: edited,
    hasSubject: event.metadata.keyId !== undefined,
    number,
    // Last: a literal that begins with a spread takes ten times as long.
    ...data,
  });
  if (isFork) return;
  const state = { machineName, fromState: data.fromState, kind };
  countDecision(page, state, margin);
  page.count(decisionDays, { day: dayOf(storedTime(decidedAt)), decisions: 1, ...state });
  countProposals(page, machineName, round, data.transitionName);
}

function openRound(page: Page, { sessionId, roundId }: RoundName): DocOf<RoundTable> {
  const open = page.change(openRounds, sessionId);
  if (open?.roundId === roundId) return open;
  const round: DocOf<RoundTable> = { sessionId, roundId, proposals: [] };
  page.put(openRounds, round);
  return round;
}

/** `undefined` without a basis. */
function kindOf(round: Round | undefined, transitionName: string): DecisionKind | undefined {
  if (!round?.basis) return undefined;
  if (round.basis.how === 'override') return 'person';
  const isPersons = round.proposals.some((one) => one.isHuman && one.transitionName === transitionName);
  return isPersons ? 'agreement' : 'models';
}

/** An arbiter of the application may report any number, and PostgreSQL refuses a row with an infinite sum. */
const LARGEST_MARGIN = 1e9;

function countDecision(
  page: Page,
  state: { readonly machineName: string; readonly fromState: string; readonly kind: DecisionKind },
  margin: number | undefined,
): void {
  page.count(decisionTotals, {
    decisions: 1,
    margins: margin === undefined ? 0 : 1,
    margin: Math.max(-LARGEST_MARGIN, Math.min(margin ?? 0, LARGEST_MARGIN)),
    ...state,
  });
}

function countProposals(
  page: Page,
  machineName: string,
  round: Round | undefined,
  transitionName: string,
): void {
  for (const { specialistId, isHuman, transitionName: proposed } of round?.proposals ?? []) {
    const winning = proposed === transitionName ? 1 : 0;
    page.count(decisionWins, { machineName, specialistId, isHuman, proposals: 1, winning });
  }
}
