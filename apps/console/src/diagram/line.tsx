export type Points = readonly { readonly x: number; readonly y: number }[];

/** A line with a head at its end. */
export function Line({ points }: { readonly points: Points }) {
  return (
    <>
      <path d={curve(points)} />
      <polygon points="0,0 -8,-4 -8,4" transform={headAt(points)} />
    </>
  );
}

/** A curve through the middles between corners, without edges. */
function curve(points: Points): string {
  const [first, ...rest] = points;
  const last = points.at(-1);
  if (!first || !last) return '';
  const parts = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? point;
    return `Q ${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`;
  });
  return `M ${first.x} ${first.y} ${parts.join(' ')} L ${last.x} ${last.y}`;
}

function headAt(points: Points): string {
  const [tip, before] = [points.at(-1), points.at(-2)];
  if (!tip || !before) return '';
  const degrees = (Math.atan2(tip.y - before.y, tip.x - before.x) * 180) / Math.PI;
  return `translate(${tip.x} ${tip.y}) rotate(${degrees})`;
}
