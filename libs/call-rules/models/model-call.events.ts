// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { Event } from '#lib/kernel';

/** A call continues with a backup model, or without the member that its provider refused. Derived. */
export type ModelFallback = Event<
  'FallbackTaken',
  {
    /** The common part of the calls' step ids, before `#`. */
    readonly callId: string;
    /** A model as it was named, or a member of the body. */
    readonly from: string;
    /** The backup, the other name of the member, or `none`. */
    readonly to: string;
    /** `parameter-refused`, `tools-refused`, `format-refused`, `known-unsupported` if an earlier run observed one of these, or the kind of the last failure. */
    readonly reason: string;
    /** The HTTP status of the reply, if one came. */
    readonly upstreamStatus?: number;
    /** The model that later runs ask without `from`; absent if the provider may have refused only the value in this request. */
    readonly learned?: { readonly provider: string; readonly model: string };
  }
>;
