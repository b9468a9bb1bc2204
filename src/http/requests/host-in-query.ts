import type { Address } from '../../domain/addresses/address.ts';
import { ADDRESS_MESSAGE, parseAddress } from '../../domain/addresses/address.ts';
import type { AppError } from '../../domain/errors.ts';
import { appErrorFromFields } from '../../domain/errors.ts';

/** The host that a query names; `undefined`: none. */
export function hostInQuery({ host }: { readonly host?: string }): Address | undefined | AppError {
  if (host === undefined) return undefined;
  const error = { path: '/host', message: ADDRESS_MESSAGE };
  return parseAddress(host) ?? appErrorFromFields('invalid_query', [error], 'the query');
}
