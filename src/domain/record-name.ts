import { NAME_PATTERN } from './vocabulary.ts';

declare const recordName: unique symbol;

export type RecordName = string & { readonly [recordName]: true };

const FULL_NAME = new RegExp(`^${NAME_PATTERN}$`);

export const isRecordName = (text: string): text is RecordName => FULL_NAME.test(text);

/** For names from the code itself. */
export function toRecordName(text: string): RecordName {
  if (!isRecordName(text)) throw new Error(`not a record name: ${JSON.stringify(text)}`);
  return text;
}

/** Always exists and cannot be removed. */
export const DEFAULT_NETWORK = toRecordName('default');
