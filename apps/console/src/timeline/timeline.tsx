import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { useShortcuts } from '../app/shortcuts.js';
import { roundsOf, type Round, type TimelineEvent } from './rounds.js';
import { openAtFirst, type Row, rowsOf } from './rows.js';
import { TimelineRow } from './timeline-row.js';

const ROW_PX = 34;
const OVERSCAN = 10;

interface TimelineProps {
  readonly events: readonly TimelineEvent[];
  /** The word for a group of events: the events of a run are one group. */
  readonly group?: 'Round' | 'Turn';
  readonly selected: string | undefined;
  readonly onSelect: (event: string | undefined) => void;
}

/** The events as a tree for people. Only rows near the window are in the page. */
export function Timeline({ events, group, selected, onSelect }: TimelineProps) {
  const rounds = useMemo(() => roundsOf(events), [events]);
  const { chosen, isOpen, fold } = useFolds(rounds);
  // The open rounds follow from `chosen`.
  const rows = useMemo(() => rowsOf(rounds, isOpen, group !== undefined), [rounds, chosen, group]);
  const box = useRef<HTMLDivElement>(null);
  // The places of all rows are computed again when it changes.
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    getItemKey,
    overscan: OVERSCAN,
    useFlushSync: false,
  });
  const [active, setActive] = useActive(rows, selected);
  const open = useCallback(
    (index: number) => {
      const row = rows[index];
      setActive(index);
      if (row?.kind === 'round') fold(row.round, !row.isOpen);
      if (row?.kind === 'event') onSelect(row.key);
    },
    [rows, setActive, fold, onSelect],
  );
  const onArrow = useMoves({ rows, active, setActive, fold, open, show: virtual.scrollToIndex });
  return (
    <div
      ref={box}
      role="treegrid"
      aria-label="Timeline"
      aria-rowcount={rows.length}
      aria-activedescendant={`row-${active}`}
      tabIndex={0}
      className="timeline"
      onKeyDown={onArrow}
    >
      <VirtualRows
        rows={rows}
        virtual={virtual}
        group={group}
        active={active}
        selected={selected}
        onOpen={open}
      />
    </div>
  );
}

interface VirtualRowsProps {
  readonly rows: readonly Row[];
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  readonly group: TimelineProps['group'];
  readonly active: number;
  readonly selected: string | undefined;
  readonly onOpen: (index: number) => void;
}

function VirtualRows({ rows, virtual, group, active, selected, onOpen }: VirtualRowsProps) {
  return (
    <div role="rowgroup" className="timeline-rows" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start, key }) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className="timeline-place"
            role="presentation"
            style={{ transform: `translateY(${start}px)` }}
          >
            <TimelineRow
              row={row}
              index={index}
              group={group}
              isActive={index === active}
              isSelected={row.kind === 'event' && row.key === selected}
              onOpen={onOpen}
            />
          </div>
        );
      })}
    </div>
  );
}

interface Moving {
  readonly rows: readonly Row[];
  readonly active: number;
  readonly setActive: (index: number) => void;
  readonly fold: (round: Round, to: boolean) => void;
  readonly open: (index: number) => void;
  readonly show: (index: number) => void;
}

/** The keys of a treegrid, while it has the focus, and `j`, `k` and Enter anywhere. */
function useMoves({ rows, active, setActive, fold, open, show }: Moving) {
  const move = (by: number) => {
    const next = Math.min(Math.max(active + by, 0), rows.length - 1);
    setActive(next);
    show(next);
  };
  const foldActive = (to: boolean) => {
    const row = rows[active];
    if (row?.kind === 'round') fold(row.round, to);
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), Enter: () => open(active) });
  const arrows: { readonly [key: string]: () => void } = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ArrowRight: () => foldActive(true),
    ArrowLeft: () => foldActive(false),
    Home: () => move(-Infinity),
    End: () => move(Infinity),
  };
  return (event: KeyboardEvent) => {
    const act = arrows[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}

/** The rounds that a person opened or closed; the others are as they were at first. */
function useFolds(rounds: readonly Round[]) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const atFirst = useMemo(() => openAtFirst(rounds), [rounds]);
  const isOpen = (round: Round) => chosen.get(round.id) ?? atFirst(round);
  const fold = useCallback(
    ({ id }: Round, to: boolean) => setChosen((before) => new Map([...before, [id, to]])),
    [],
  );
  return { chosen, isOpen, fold };
}

/** The row that the keys move. It begins at the selected event. */
function useActive(rows: readonly Row[], selected: string | undefined) {
  const [moved, setMoved] = useState<number>();
  const found = selected === undefined ? -1 : rows.findIndex(({ key }) => key === selected);
  const active = moved ?? Math.max(0, found);
  return [Math.min(active, Math.max(0, rows.length - 1)), setMoved] as const;
}
