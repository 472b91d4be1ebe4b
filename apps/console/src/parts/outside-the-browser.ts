import { useAddress } from '../app/address.js';
import { type Search, stringifySearch } from '../app/search-params.js';

/** How to get the content of a page outside the browser. */
export interface Outside {
  /** The path of the API, below `/v1`. */
  readonly path: string;
  /** The words of the command, with its options; absent if no command gives the same answer from a server. */
  readonly command?: readonly string[];
}

/**
 * A list with the current filters.
 * @param options each option of the command, and its filter
 */
export function listOutside(
  path: string,
  command: readonly string[],
  filter: Search,
  options: Search = filter,
): Outside {
  return { path: `${path}${stringifySearch(filter)}`, command: [...command, ...optionWords(options)] };
}

/** The lists in the tabs of a history: below its path, and as commands. */
const LISTS: { readonly [tab: string]: readonly [path: string, command: string] } = {
  timeline: ['/events', 'events'],
  history: ['/events', 'events'],
  calls: ['/llm-calls', 'calls'],
};

/**
 * The current tab of a session, run or conversation, at the current time.
 * @param group the words before the commands of its kind
 */
export function useTabOutside(path: string, group: readonly string[], id: string): Outside {
  const { tab = 'timeline', at } = useAddress();
  const [list, command] = LISTS[tab] ?? [''];
  return {
    path: `${path}/${id}${list}${stringifySearch({ at })}`,
    ...(command !== undefined && { command: [...group, command, id, ...optionWords({ at })] }),
  };
}

function optionWords(options: Search): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => (value ? [`--${name}`, value] : []));
}
