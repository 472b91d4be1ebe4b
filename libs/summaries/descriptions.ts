import type { Event } from '#lib/kernel';

/** Each event as one line of plain language, by its type. */
export type Descriptions<E extends Event> = {
  readonly [Type in E['type']]: (data: Extract<E, { readonly type: Type }>['data']) => string;
};
