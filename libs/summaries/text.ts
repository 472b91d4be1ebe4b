import { jsonLine, oneLine, spaced } from '#lib/kernel';

/** The data and the reason of a proposal or a decision. */
export function dataAndReason(
  { metaJson, reasoning }: { readonly metaJson?: unknown; readonly reasoning?: string | undefined },
  longest?: number,
): string {
  return spaced(
    metaJson !== undefined && jsonLine(metaJson, longest),
    reasoning && `"${oneLine(reasoning, longest)}"`,
  );
}

interface Transition {
  readonly fromState: string;
  readonly transitionName: string;
  readonly toState: string;
}

/** `triage ── approve ──▶ payout` */
export function arrow({ fromState, transitionName, toState }: Transition): string {
  return `${oneLine(fromState)} ── ${oneLine(transitionName)} ──▶ ${oneLine(toState)}`;
}

/** `approve → payout` */
export function choiceText({ transitionName, toState }: Omit<Transition, 'fromState'>): string {
  return `${oneLine(transitionName)} → ${oneLine(toState)}`;
}

/** The line about the start of a fork. @param otherwise the overrides of the fork */
export function goesOn(
  { effects, by }: { readonly effects: string; readonly by?: string },
  otherwise = '',
): string {
  return `goes on as a fork${by === undefined ? '' : ` by ${oneLine(by)}`}${otherwise}; effects: ${effects}`;
}
