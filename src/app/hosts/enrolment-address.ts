import type { Actor } from '../../domain/accounts/account.ts';
import { canEnrolOthers } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { ADDRESS_MESSAGE, parseAddress } from '../../domain/addresses/address.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';

export interface NamedAddresses {
  readonly host?: string | undefined;
  readonly address?: string | undefined;
}

/** The address of a host that is enrolled without one in the path: the caller's own, unless a person names another. */
export function enrolmentAddress(actor: Actor, { host, address }: NamedAddresses): Address | AppError {
  const given = Object.entries({ host, address }).filter(([, text]) => text !== undefined);
  const parsed = given.map(([field, text = '']) => ({ field, address: parseAddress(text) }));
  const bad = parsed.find(each => each.address === undefined);
  if (bad) return invalidBody({ path: `/${bad.field}`, message: ADDRESS_MESSAGE });
  const [named] = parsed.map(each => each.address);
  if (parsed.some(each => each.address !== named)) {
    return invalidBody({ path: '/address', message: 'must equal host if both are present' });
  }
  const own = parseAddress(actor.address);
  if (named === undefined) {
    return own ?? new AppError('invalid_address', 'the address of the client is unknown; send it in host');
  }
  if (named === own || canEnrolOthers(actor.role)) return named;
  return new AppError(
    'address_mismatch',
    `this account can enrol only the address that it connects from, ${actor.address}`,
  );
}
