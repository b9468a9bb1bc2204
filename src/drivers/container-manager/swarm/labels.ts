/** On a node that we have cordoned: the mark. */
export const MARK_LABEL = 'hostler.cordoned-by';
/** On a node that is drained by us and was paused by others: `true`. */
export const PAUSED_LABEL = 'hostler.paused-by-others';
