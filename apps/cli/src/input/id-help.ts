/** For `--help`: what may stand where something with an id is named. Stands alone, for help loads nothing that finds it. */
export const ID_HELP = 'its id, the first characters of it, or `last`';
