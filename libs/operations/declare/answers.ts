/** A class whose members are the shape of an answer: `view` declares them. */
export type View = abstract new (...args: never[]) => object;

/** The body of an answer: a view, or one of the forms below. */
export type Answer = View | AnswerForm;

export type AnswerForm =
  | { readonly form: 'page'; readonly of: readonly [View, ...View[]] }
  | { readonly form: 'items' | 'list'; readonly of: View }
  | { readonly form: 'nullable'; readonly of: View }
  | { readonly form: 'one of'; readonly views: readonly View[] }
  | { readonly form: 'text'; readonly mediaType: string }
  | { readonly form: 'lines'; readonly mediaTypes: readonly [string, ...string[]] }
  | { readonly form: 'nothing' };

/** The answers of an operation, by HTTP status. The higher one of two means that the call created its subject (201), or continues (202). */
export type Answers = { readonly [status in 200 | 201 | 202 | 204]?: Answer };

/** One page of a list: `{ items, nextCursor }`. Each item is one of these views. */
export const page = (...of: [View, ...View[]]): AnswerForm => ({ form: 'page', of });
/** A whole list: `{ items }`. */
export const items = (of: View): AnswerForm => ({ form: 'items', of });
/** A whole list as a bare array. */
export const list = (of: View): AnswerForm => ({ form: 'list', of });
export const nullable = (of: View): AnswerForm => ({ form: 'nullable', of });
export const oneOf = (...views: readonly View[]): AnswerForm => ({ form: 'one of', views });
/** Text of a media type: the answer is a string. */
export const text = (mediaType: string): AnswerForm => ({ form: 'text', mediaType });
/** Text of one of these media types, line by line: the answer is `Lines`. HTTP sends each line at once. */
export const lines = (...mediaTypes: [string, ...string[]]): AnswerForm => ({ form: 'lines', mediaTypes });

/** Lines with their ends. */
export interface Lines extends AsyncIterable<string> {
  /** One of the operation's media types. Default: the first. */
  readonly mediaType?: string;
}
export const nothing: AnswerForm = { form: 'nothing' };
