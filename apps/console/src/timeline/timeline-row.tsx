import { memo } from 'react';
import { count, decider, duration } from '../parts/format.js';
import { statusWords } from '../parts/status.js';
import type { Bar } from './active-time.js';
import type { Choice, Entry, Round } from './rounds.js';
import type { Row } from './rows.js';

/** The colour of an event's mark. Its meaning is in the words, too. */
type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

const TONES: ReadonlyMap<string, Tone> = new Map(
  Object.entries({
    TransitionExecuted: 'good',
    WorkflowEnded: 'good',
    ProposalSubmitted: 'info',
    ConsensusReached: 'info',
    HumanOverrideAccepted: 'info',
    ApprovalGiven: 'info',
    FallbackTaken: 'warn',
    ConsensusNotReached: 'warn',
    HumanInputRequested: 'warn',
    ProposalSetAside: 'warn',
    VerdictSetAside: 'warn',
  } as const),
);

function toneOf(type: string): Tone {
  return TONES.get(type) ?? (/(?:Failed|Rejected|GivenUp)$/.test(type) ? 'bad' : 'quiet');
}

interface RowProps {
  readonly row: Row;
  readonly index: number;
  readonly group: 'Round' | 'Turn' | undefined;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onOpen: (index: number) => void;
}

/** One row: a round, an event of it, or idle time. Rows are not drawn again when the timeline is scrolled. */
export const TimelineRow = memo((props: RowProps) => {
  const { row, index, group = 'Round', isActive, isSelected, onOpen } = props;
  return (
    <div
      role="row"
      id={`row-${index}`}
      aria-rowindex={index + 1}
      aria-level={row.kind === 'round' ? 1 : row.level}
      aria-expanded={row.kind === 'round' ? row.isOpen : undefined}
      aria-selected={isSelected}
      className={['timeline-row', row.kind, isActive ? 'active' : ''].join(' ').trim()}
      onClick={row.kind === 'idle' ? undefined : () => onOpen(index)}
    >
      {row.kind === 'round' && <RoundCells group={group} round={row.round} />}
      {row.kind === 'event' && <EventCells entry={row.entry} bar={row.bar} level={row.level} />}
      {row.kind === 'idle' && (
        <span role="gridcell" className="idle-text">
          {duration(row.ms)} in which nothing happened
        </span>
      )}
    </div>
  );
});

function RoundCells({ group, round }: { readonly group: string; readonly round: Round }) {
  const { number, entries, proposals, decision, isClosed } = round;
  const calls = entries.filter(({ event }) => event.type === 'LlmCallRequested').length;
  return (
    <>
      <span role="gridcell" className="round-name">
        <span aria-hidden="true" className="twist" />
        {round.id === '' ? 'Begin' : `${group} ${number}`}
      </span>
      <span role="gridcell" className="round-what">
        {group === 'Round' && (
          <span className="round-decision">
            {decision ? (
              <>
                {decision.fromState} <b>{decision.transitionName}</b> → {decision.toState}
                <span className="dim"> decided by {decider(decision.by, decision.isHuman)}</span>
              </>
            ) : (
              statusWords(isClosed ? 'closed' : 'open')
            )}
          </span>
        )}
        {decision?.reasoning && <span className="round-reason">{decision.reasoning}</span>}
        {proposals.length > 0 && <Proposals proposals={proposals} decided={decision?.transitionName} />}
      </span>
      <span role="gridcell" className="dim round-size">
        {count(entries.length, 'event')}
        {calls > 0 && `, ${count(calls, 'model call')}`}
      </span>
    </>
  );
}

/** Each proposal beside the decision, and whether it agrees with it. */
function Proposals({
  proposals,
  decided,
}: {
  readonly proposals: readonly Choice[];
  readonly decided?: string | undefined;
}) {
  return (
    <span className="round-proposals">
      {proposals.map((proposal, index) => (
        <span key={index} className={proposal.transitionName === decided ? 'chip agrees' : 'chip'}>
          {decider(proposal.by, proposal.isHuman)} proposed <b>{proposal.transitionName}</b>
          {decided !== undefined && proposal.transitionName !== decided && ' (not taken)'}
        </span>
      ))}
    </span>
  );
}

function EventCells({
  entry,
  bar,
  level,
}: {
  readonly entry: Entry;
  readonly bar: Bar;
  readonly level: number;
}) {
  const { event, asked, rung, isOfRun } = entry;
  const depth = level - 1 + (isOfRun ? 1 + rung : 0);
  return (
    <>
      <span role="gridcell" className="event-time number">
        {event.occurredAt.slice(11, 19)}
      </span>
      <span
        role="gridcell"
        className="event-what"
        style={depth === 0 ? undefined : { paddingLeft: `${Math.min(depth, 6) - 0.25}rem` }}
        data-rung={rung === 0 ? undefined : Math.min(rung, 4)}
      >
        <span className={`dot ${toneOf(event.type)}`} aria-hidden="true" />
        <span className="event-words">
          {asked !== undefined && <span className="asked">{asked}: </span>}
          {event.summary}
        </span>
      </span>
      <span role="gridcell" className="event-type dim">
        {event.type}
      </span>
      <span role="gridcell" className="event-bar">
        <BarOf bar={bar} />
      </span>
    </>
  );
}

/** The part of the round's time that an event took, or its moment. */
function BarOf({ bar: { left, width, ms } }: { readonly bar: Bar }) {
  return (
    <span className="bar-line">
      <span className="bar-track">
        <span
          className={ms === undefined ? 'bar-point' : 'bar-span'}
          style={{ left: `${left}%`, width: ms === undefined ? undefined : `${Math.max(width, 1)}%` }}
        />
      </span>
      {ms !== undefined && <span className="bar-text number">{duration(ms)}</span>}
    </span>
  );
}
