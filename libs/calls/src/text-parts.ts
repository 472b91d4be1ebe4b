import { isJsonObject } from '#lib/kernel';

/** The text of a message's content: its text parts joined where it is a list. */
export function textOf(content: unknown): string {
  return partsOf(content, 'text').join('');
}

/** The texts of a content: the content itself, or one kind of its parts. */
export function partsOf(content: unknown, kind: 'text' | 'refusal'): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    const text = isJsonObject(part) && isPartOf(part['type'], kind) ? part[kind] : undefined;
    return typeof text === 'string' ? [text] : [];
  });
}

function isPartOf(type: unknown, kind: 'text' | 'refusal'): boolean {
  return type === kind || (kind === 'text' && type === 'output_text');
}
