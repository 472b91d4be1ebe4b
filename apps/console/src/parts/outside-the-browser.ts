import { useAddress } from '../app/address.js';
import { type Search, stringifySearch } from '../app/search-params.js';

/** How to get outside the browser what a page shows. */
export interface Outside {
  /** The path of the API, below `/v1`. */
  readonly path: string;
  /** The words of the command, with its options; absent if no command answers the same for a server. */
  readonly command?: readonly string[];
}

/**
 * A list with the filters that are set.
 * @param options each option of the command, and the filter that it is
 */
export function listOutside(
  path: string,
  command: readonly string[],
  filter: Search,
  options: Search = filter,
): Outside {
  return { path: `${path}${stringifySearch(filter)}`, command: [...command, ...optionWords(options)] };
}

/** The lists that the tabs of a history show: below its path, and as commands. */
const LISTS: { readonly [tab: string]: readonly [path: string, command: string] } = {
  timeline: ['/events', 'events'],
  history: ['/events', 'events'],
  calls: ['/llm-calls', 'calls'],
};

/**
 * The tab of a session, run or conversation that is shown, at the time that is shown.
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
