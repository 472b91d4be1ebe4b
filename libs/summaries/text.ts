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
