import { Link, useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../app/shortcuts.js';
import type { PagedList } from '../data/pages.js';
import { count } from './format.js';
import { Loading, Problem } from './notice.js';
import { useOpenOnClick } from './open-on-click.js';

/** A column of a list, by its heading. `wide` ones are left out on a narrow screen. */
export interface Column<Item> {
  readonly cell: (item: Item) => ReactNode;
  readonly wide?: true;
  readonly right?: true;
}

interface ListTableProps<Item> {
  readonly label: string;
  readonly list: PagedList<Item>;
  readonly columns: { readonly [heading: string]: Column<Item> };
  readonly keyOf: (item: Item) => string;
  /** The page that Enter and a click on the row open; the cells hold the link themselves. */
  readonly linkOf?: (item: Item) => string;
  readonly empty: ReactNode;
}

const ROW_PX = 45;
const OVERSCAN = 12;
/** The next page is read when fewer rows than this are left below. */
const AHEAD = 30;

/** A list as a table, or the reason why there is none. */
export function ListTable<Item>(props: ListTableProps<Item>) {
  const { list, empty } = props;
  if (list.error) return <Problem error={list.error} />;
  if (list.isLoading) return <Loading />;
  return (
    <>
      {list.standsStill > 0 && <StandsStill streams={list.standsStill} />}
      {list.items.length === 0 ? empty : <Rows {...props} />}
    </>
  );
}

function StandsStill({ streams }: { readonly streams: number }) {
  return (
    <div className="callouts">
      <p className="callout">
        <span>
          {count(streams, 'stream')} cannot be read to the end: the items of {streams === 1 ? 'it' : 'them'}{' '}
          are old, or missing.
        </span>
        <Link to="/system">Why: see Projections</Link>
      </p>
    </div>
  );
}

/** Only rows near the window are in the page. */
function Rows<Item>({ label, list, columns, keyOf, linkOf }: ListTableProps<Item>) {
  const { items } = list;
  const body = useRef<HTMLTableSectionElement>(null);
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    useFlushSync: false,
    scrollMargin: topOf(body.current),
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (list.hasMore && last >= items.length - AHEAD) list.loadMore();
  });
  const active = useActiveRow(items, linkOf, virtual.scrollToIndex);
  const { scrollMargin } = virtual.options;
  const above = (shown[0]?.start ?? scrollMargin) - scrollMargin;
  const below = virtual.getTotalSize() - ((shown.at(-1)?.end ?? scrollMargin) - scrollMargin);
  return (
    <table className="list" aria-label={label} aria-rowcount={list.hasMore ? -1 : items.length + 1}>
      <thead>
        <tr>
          {Object.entries(columns).map(([heading, column]) => (
            <th key={heading} scope="col" className={classOf(column)}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        <Spacer px={above} />
        {items.slice(shown[0]?.index ?? 0, last + 1).map((item, offset) => {
          const index = (shown[0]?.index ?? 0) + offset;
          const row = { item, index, columns, isActive: index === active, measure: virtual.measureElement };
          return <ListRow key={keyOf(item)} {...row} to={linkOf?.(item)} />;
        })}
        <Spacer px={below} />
      </tbody>
    </table>
  );
}

interface ListRowProps<Item> extends Pick<ListTableProps<Item>, 'columns'> {
  readonly item: Item;
  readonly index: number;
  readonly isActive: boolean;
  readonly to: string | undefined;
  readonly measure: (row: Element | null) => void;
}

/** Rows are not drawn again when the list is scrolled. */
const ListRow = memo(ItemRow) as typeof ItemRow;

function ItemRow<Item>({ item, index, columns, isActive, to, measure }: ListRowProps<Item>) {
  const open = useOpenOnClick(to);
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={isActive ? true : undefined}
      className={open && 'opens'}
      onClick={open}
    >
      {Object.entries(columns).map(([heading, column]) => (
        <td key={heading} className={classOf(column)}>
          {column.cell(item)}
        </td>
      ))}
    </tr>
  );
}

/** The distance from the top of the page. */
function topOf(element: HTMLElement | null): number {
  return element === null ? 0 : element.getBoundingClientRect().top + window.scrollY;
}

function Spacer({ px }: { readonly px: number }) {
  return px > 0 ? <tr aria-hidden="true" className="spacer" style={{ height: px }} /> : null;
}

function classOf({ wide, right }: { readonly wide?: true; readonly right?: true }): string {
  return [wide ? 'wide' : '', right ? 'right' : ''].join(' ').trim();
}

/** The row that `j` and `k` move to, and that Enter opens. */
function useActiveRow<Item>(
  items: readonly Item[],
  linkOf: ((item: Item) => string) | undefined,
  show: (index: number) => void,
): number {
  const [active, setActive] = useState(-1);
  const navigate = useNavigate();
  const move = (by: number) => {
    const next = Math.min(Math.max(active + by, 0), items.length - 1);
    setActive(next);
    show(next);
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      const item = items[active];
      if (item !== undefined && linkOf) void navigate({ to: linkOf(item) });
    },
  });
  return active;
}
