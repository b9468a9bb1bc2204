// Shapes that several nouns share. `rule` is the sentence a user reads when a value does not keep to its pattern.

import Type from 'typebox';
import { HOST_STATUSES, NAME_PATTERN, NAME_RULE } from '../domain/vocabulary.ts';

export const Name = Type.String({ pattern: `^${NAME_PATTERN}$`, rule: NAME_RULE });

/** A reference that may be left empty. */
export const NameOrNone = Type.String({
  pattern: `^(${NAME_PATTERN})?$`,
  rule: `${NAME_RULE}, or empty for none`,
});

export const Names = Type.Array(Type.String(), { description: 'Names, ordered by code point.' });

export const Address = Type.String({
  description: 'An IPv4 literal, or an IPv6 one in canonical form (RFC 5952).',
});

export const Addresses = Type.Array(Address, { description: 'Host addresses, ordered by numeric value.' });

export const Timestamp = Type.String({ description: 'UTC, `2015-12-17T15:48:18.710454`.' });

export const HostStatus = Type.Enum(HOST_STATUSES);

/** What DELETE answers. */
export const EmptyList = Type.Array(Type.Never(), { maxItems: 0 });

export const Limit = Type.Integer({
  minimum: 1,
  maximum: 10_000,
  description: 'At most this many; the next page is in `Link`.',
});

/** Without a query the whole list is answered. */
export const Paging = Type.Object({
  limit: Type.Optional(Limit),
  after: Type.Optional(Type.String({ maxLength: 128, description: 'Only what comes after this entry.' })),
});

/** A field that repeats the path and must equal it. */
export const Repeated = (what: string) =>
  Type.Optional(Type.String({ description: `Must equal the ${what} in the path.` }));
