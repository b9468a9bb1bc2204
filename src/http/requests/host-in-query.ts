import type { Address } from '../../domain/addresses/address.ts';
import { ADDRESS_RULE, parseAddress } from '../../domain/addresses/address.ts';
import type { Refusal } from '../../domain/errors.ts';
import { refuseFields } from '../../domain/errors.ts';

/** The host that a query names; `undefined`: none. */
export function hostInQuery({ host }: { readonly host?: string }): Address | undefined | Refusal {
  if (host === undefined) return undefined;
  const error = { path: '/host', message: ADDRESS_RULE };
  return parseAddress(host) ?? refuseFields('invalid_query', [error], 'the query');
}
