import { isDeepStrictEqual } from 'node:util';
import type { AnyDriver, Options } from './options.ts';

/** What of a record it takes to tell. */
interface Content {
  readonly type: string;
  readonly options: Options;
}

/** What would make another server or network of a record, in words: `type`, or an option. `undefined`: nothing would. */
export function identityChange(
  { type, immutableOptions = {} }: AnyDriver,
  current: Content,
  wanted: Options,
): string | undefined {
  if (current.type !== type) return 'type';
  const valueIn = (options: Options, option: string) => options[option] ?? immutableOptions[option];
  return Object.keys(immutableOptions).find(
    option => !isDeepStrictEqual(valueIn(current.options, option), valueIn(wanted, option)),
  );
}
