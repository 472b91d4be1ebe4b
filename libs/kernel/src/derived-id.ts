import { v5 } from 'uuid';

/**
 * An id that anybody who knows where it comes from computes alike: UUIDv5 of `name` in the namespace of another id.
 * So a command that is repeated, here or in another process, creates the same session, proposal or solicitation.
 */
export function derivedId(namespace: string, name: string): string {
  return v5(name, namespace);
}
