declare const mark: unique symbol;

/** Says on a cordoned node who made it so: `hostler/OPERATION/ATTEMPT`. */
export type CordonMark = string & { readonly [mark]: true };

/** How every mark of ours begins. */
export const OUR_MARK = 'hostler/';

export const cordonMark = (operation: string, attempt: number): CordonMark =>
  `${OUR_MARK}${operation}/${attempt}` as CordonMark;

/** Whether an operation has cordoned the node, this one or an earlier one. */
export const isOurMark = (text: string): text is CordonMark => text.startsWith(OUR_MARK);
