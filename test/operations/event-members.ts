import { eventCatalogue } from '#lib/engine';
import { type MemberKinds, metadataMembers } from '#lib/event-store';
import { membersOfKind } from '#lib/event-store/testing';

const BEGIN = '<!-- members: npm run operations:record -->';
const END = '<!-- /members -->';

/** The page with the kinds of all members between the two marks. @throws Error if it has no marks */
export function withEventMembers(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined)
    throw new Error('The page of events has lost the marks around its members.');
  return `${before}${BEGIN}\n\n${linesOf().join('\n')}\n\n${END}${after}`;
}

function linesOf(): readonly string[] {
  const catalogue = eventCatalogue();
  const types = catalogue.types.toSorted((a, b) => a.localeCompare(b, 'en'));
  return [
    lineOf('metadata', metadataMembers),
    ...types.flatMap((type) =>
      catalogue.membersOf(type).map((kinds, index) => lineOf(`${type} ${index + 1}`, kinds)),
    ),
  ];
}

function lineOf(name: string, kinds: MemberKinds): string {
  const parts = (['content', 'derived'] as const).flatMap((kind) => {
    const paths = membersOfKind(kind, kinds).map((path) => `\`${path}\``);
    return paths.length === 0 ? [] : [`${kind} ${paths.join(', ')}`];
  });
  return `- ${name}: ${parts.length === 0 ? 'structure only' : parts.join('; ')}.`;
}
