import { escapePointerToken, isJsonObject, type Json, ownMember } from '#lib/kernel';
import type { MemberKind, MemberKinds } from '../event-members.js';

/** JSON pointers of the parts of a value that its kinds do not cover. */
export function undeclaredMembers(kinds: MemberKinds, value: Json, pointer = ''): readonly string[] {
  if (typeof kinds === 'string') return [];
  if (Array.isArray(value) && isList(kinds)) {
    return value.flatMap((item: Json, index) => undeclaredMembers(kinds[0], item, `${pointer}/${index}`));
  }
  if (!isJsonObject(value) || isList(kinds)) return [pointer];
  return Object.entries(value).flatMap(([name, member = null]) => {
    const place = `${pointer}/${escapePointerToken(name)}`;
    const own = ownMember(kinds, name) ?? ownMember(kinds, '*');
    return own === undefined ? [place] : undeclaredMembers(own, member, place);
  });
}

/** The members of this kind, such as `proposals[].reasoning`; `*` stands for names that are data. */
export function membersOfKind(kind: MemberKind, kinds: MemberKinds, path = ''): readonly string[] {
  if (typeof kinds === 'string') return kinds === kind ? [path] : [];
  if (isList(kinds)) return membersOfKind(kind, kinds[0], `${path}[]`);
  return Object.entries(kinds).flatMap(([name, own]) =>
    membersOfKind(kind, own, path === '' ? name : `${path}.${name}`),
  );
}

function isList(kinds: MemberKinds): kinds is readonly [MemberKinds] {
  return Array.isArray(kinds);
}
