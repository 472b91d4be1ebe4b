import { useMemo } from 'react';
import type { MachineDefinition, TransitionRecord } from '#lib/client';
import { decider } from '../parts/format.js';
import { Timestamp } from '../parts/time.js';
import { type Arrow, type Box, layoutOf } from './layout.js';
import { Line } from './line.js';

interface DiagramProps {
  readonly machine: MachineDefinition;
  readonly path?: readonly TransitionRecord[];
  readonly current?: string;
}

const NO_PATH: readonly TransitionRecord[] = [];

/** A machine as states and transitions, and the path of a session through it. */
export default function MachineDiagram({ machine, path = NO_PATH, current }: DiagramProps) {
  // Hundreds of states with many transitions take seconds.
  const { width, height, boxes, arrows } = useMemo(() => layoutOf(machine, path), [machine, path]);
  const words = `${boxes.length} states, ${arrows.length} transitions. ${path.length === 0 ? '' : 'The path is listed below.'}`;
  return (
    <div className="diagram">
      <div className="diagram-box" tabIndex={0} role="group" aria-label="Diagram of the machine">
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
          {arrows.map((arrow) => (
            <ArrowLine key={`${arrow.from} ${arrow.name} ${arrow.to}`} arrow={arrow} />
          ))}
          {boxes.map((box) => (
            <StateBox key={box.name} box={box} isCurrent={box.name === current} />
          ))}
        </svg>
      </div>
      {path.length > 0 && <PathTaken path={path} />}
    </div>
  );
}

function StateBox({ box, isCurrent }: { readonly box: Box; readonly isCurrent: boolean }) {
  const { name, x, y, width, height, isInitial, isGoal, isVisited } = box;
  const classes = ['state', isVisited ? 'visited' : '', isCurrent ? 'current' : '', isGoal ? 'goal' : ''];
  return (
    <g className={classes.join(' ')} transform={`translate(${x - width / 2} ${y - height / 2})`}>
      <rect width={width} height={height} rx={isGoal ? height / 2 : 7} />
      {isInitial && <circle cx={0} cy={height / 2} r={5} className="initial" />}
      <text x={width / 2} y={height / 2} dy="0.34em" textAnchor="middle">
        {name}
      </text>
    </g>
  );
}

function ArrowLine({ arrow }: { readonly arrow: Arrow }) {
  const { points, label, name, steps } = arrow;
  const text = steps.length === 0 ? name : `${steps.join(', ')}. ${name}`;
  return (
    <g className={steps.length > 0 ? 'arrow taken' : 'arrow'}>
      <Line points={points} />
      <text x={label.x} y={label.y} dy="0.32em" textAnchor="middle">
        {text}
      </text>
    </g>
  );
}

function PathTaken({ path }: { readonly path: readonly TransitionRecord[] }) {
  return (
    <section aria-label="The path taken">
      <h2>The path taken</h2>
      <ol className="path">
        {path.map(
          (
            { fromState, transitionName, toState, decidedBy, isHuman, reasoning, executionTimestamp },
            index,
          ) => (
            <li key={index}>
              <span>
                {fromState} <b>{transitionName}</b> → {toState}
              </span>
              <span className="dim">
                decided by {decider(decidedBy ?? 'operator', isHuman)},{' '}
                <Timestamp time={executionTimestamp} />
              </span>
              {reasoning !== '' && <span className="reason">{reasoning}</span>}
            </li>
          ),
        )}
      </ol>
    </section>
  );
}
