import { oneLine } from '#lib/kernel';

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
