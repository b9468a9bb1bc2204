// Shapes that several nouns share. `rule` is the sentence a user reads when a value does not keep to its pattern.

import Type from 'typebox';
import {
  HOST_STATES,
  HOST_STATUSES,
  LABEL_KEY_PATTERN,
  LABEL_KEY_RULE,
  LABEL_VALUE_PATTERN,
  LABEL_VALUE_RULE,
  MAX_LABELS,
  NAME_PATTERN,
  NAME_RULE,
  OPERATION_ID_PATTERN,
  OUTAGE_REASONS,
} from '../domain/vocabulary.ts';

export const Name = Type.String({ pattern: `^${NAME_PATTERN}$`, rule: NAME_RULE });

/** A reference that may be left empty. */
export const NameOrNone = Type.String({
  pattern: `^(${NAME_PATTERN})?$`,
  rule: `${NAME_RULE}, or empty for none`,
});

/**
 * What no text of one line holds: control characters, breaks of lines, halves of characters, which not every store keeps, and marks that
 * turn the direction of what follows, so that it reads otherwise than it is.
 */
export const NOT_IN_A_LINE =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff';

export const Names = Type.Array(Type.String(), { description: 'Names, ordered by code point.' });

export const Address = Type.String({
  description: 'An IPv4 literal, or an IPv6 one in canonical form (RFC 5952).',
});

export const Addresses = Type.Array(Address, { description: 'Host addresses, ordered by numeric value.' });

export const Timestamp = Type.String({ description: 'UTC, `2015-12-17T15:48:18.710454`.' });

export const orNull = <Shape extends Type.TSchema>(shape: Shape, description?: string) =>
  Type.Union([shape, Type.Null()], { ...(description !== undefined && { description }) });

export const HostStatus = Type.Enum(HOST_STATUSES);

/** How far an operation has come on a host. */
export const HostState = Type.Enum(HOST_STATES, {
  description: 'The phase; `unreachable` while the host does not answer.',
});

/** A member of a cluster that is out of service and uses the budget of an operation. */
export const Outage = Type.Object({
  address: Address,
  reason: Type.Enum(OUTAGE_REASONS, { description: 'Why the host is out of service.' }),
  detail: Type.String({ description: 'What is known about the reason; empty: nothing.' }),
  since: orNull(Timestamp, 'Since when; `null`: not known.'),
});

export const OperationId = Type.String({
  pattern: `^${OPERATION_ID_PATTERN}$`,
  rule: 'must be the id of an operation: 1 to 64 characters of A–Z a–z 0–9 _ -',
});

/** The words come from drivers, so they are no closed set here; the OpenAPI document lists them. */
const driversWord = (of: 'os' | 'transport') => (description: string) =>
  Type.String({ wordsOf: of, maxLength: 64, description });

export const Os = driversWord('os');
export const Transport = driversWord('transport');

const PRIVATE_KEY =
  'An unencrypted private key (OpenSSH, PKCS#8 or PEM; ed25519, ECDSA or RSA) in base64 without newlines.';

const privateKey = (description: string) => Type.String({ minLength: 1, writeOnly: true, description });

export const PrivateKey = privateKey(PRIVATE_KEY);

/** Of a host that enrols itself. Only who comes with a token may leave it out, which a shape cannot say. */
export const OwnPrivateKey = Type.Optional(
  privateKey(
    `${PRIVATE_KEY} Required, but with an enrolment token: without it the host is reached by the service's own key.`,
  ),
);

export const RemoteUser = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}$',
    rule: 'must be a user name: 1 to 64 characters of A–Z a–z 0–9 _ . @ -, not starting with a sign',
    description,
  });

export const Labels = Type.Record(
  Type.String(),
  Type.String({ pattern: `^${LABEL_VALUE_PATTERN}$`, rule: LABEL_VALUE_RULE }),
  {
    propertyNames: Type.String({ pattern: `^${LABEL_KEY_PATTERN}$`, rule: LABEL_KEY_RULE }),
    maxProperties: MAX_LABELS,
    description: `Up to ${MAX_LABELS} labels and their values.`,
  },
);

/** `key=value`, or `key` with any value. */
export const LabelFilter = Type.String({
  pattern: `^${LABEL_KEY_PATTERN}(=${LABEL_VALUE_PATTERN})?$`,
  rule: 'must be key=value or key, of a label',
});

export const Maintenance = Type.Object({
  on: Type.Boolean(),
  reason: Type.String({ description: 'Why; empty when not said, or off.' }),
});

/** What DELETE answers. */
export const EmptyList = Type.Array(Type.Never(), { maxItems: 0 });

export const Limit = Type.Integer({
  minimum: 1,
  maximum: 10_000,
  description: 'At most this many; the next page is in `Link`.',
});

/** Of lists that grow without end so many are answered where nothing is said. */
export const DEFAULT_LIMIT = 100;

/** For such a list. */
export const NewestLimit = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: `Default ${DEFAULT_LIMIT}.`,
});

/** Without a query the whole list is answered. */
export const Paging = Type.Object({
  limit: Type.Optional(Limit),
  after: Type.Optional(Type.String({ maxLength: 128, description: 'Only what comes after this entry.' })),
});

/** A field that repeats the path and must equal it. */
export const Repeated = (what: string) =>
  Type.Optional(Type.String({ description: `Must equal the ${what} in the path.` }));

/** Both words for the address, in the bodies of routes that have it in the path. */
export const repeatedAddress = { host: Repeated('address'), address: Repeated('address') };
