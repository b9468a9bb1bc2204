import { NAME_PATTERN } from './vocabulary.ts';

declare const recordName: unique symbol;

/** The name of a cluster, network, container manager or account: 1 to 128 of `A–Z a–z 0–9 _ -`. */
export type RecordName = string & { readonly [recordName]: true };

const FULL_NAME = new RegExp(`^${NAME_PATTERN}$`);

export const isRecordName = (text: string): text is RecordName => FULL_NAME.test(text);

/** Names that the program itself gives. */
export function toRecordName(text: string): RecordName {
  if (!isRecordName(text)) throw new Error(`not a record name: ${JSON.stringify(text)}`);
  return text;
}

/** The network that exists from the start and cannot be removed. */
export const DEFAULT_NETWORK = toRecordName('default');
