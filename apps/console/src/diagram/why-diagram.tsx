import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { Why } from '#lib/client';
import type { Search } from '../app/search-params.js';
import { Loading, Problem } from '../parts/notice.js';
import { count } from '../parts/format.js';
import { Line } from './line.js';
import { BOX, type Cause, whyLayout } from './why-layout.js';

interface WhyDiagramProps {
  /** The name of the explained object, with the shown time. */
  readonly of: readonly unknown[];
  readonly read: () => Promise<Why>;
}

/** The last event, and all events that led to it: each links to itself in the timeline. */
export default function WhyDiagram({ of, read }: WhyDiagramProps) {
  const { data, error } = useQuery({ queryKey: [...of, 'why'], queryFn: read });
  if (error) return <Problem error={error} />;
  if (!data) return <Loading />;
  const { width, height, causes, effects } = whyLayout(data);
  return (
    <div className="diagram">
      <p className="dim">
        {count(causes.length, 'event')} that led to the last one, from cause to effect.
        {data.leftOff !== undefined && ' Earlier causes are left out.'}
      </p>
      <div className="diagram-box" tabIndex={0} role="group" aria-label="Diagram of causes">
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
          {effects.map(({ key, relation, points, x, y }) => (
            <g key={key} className="arrow">
              <Line points={points} />
              <text x={x} y={y} dy="0.32em" textAnchor="middle">
                {relation}
              </text>
            </g>
          ))}
          {causes.map((cause) => (
            <CauseBox key={cause.node.id} cause={cause} />
          ))}
        </svg>
      </div>
    </div>
  );
}

const SHOWN = 42;

function CauseBox({ cause: { node, x, y } }: { readonly cause: Cause }) {
  const { id, type, summary } = node;
  return (
    <Link to="." search={(before: Search) => ({ ...before, tab: undefined, event: id })} className="cause">
      <title>{summary}</title>
      <g className="state visited" transform={`translate(${x} ${y})`}>
        <rect width={BOX.width} height={BOX.height} rx={7} />
        <text x={10} y={20} className="cause-type">
          {type}
        </text>
        <text x={10} y={39}>
          {summary.length > SHOWN ? `${summary.slice(0, SHOWN)}…` : summary}
        </text>
      </g>
    </Link>
  );
}
