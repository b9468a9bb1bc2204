// `rule` is the error message for a value that does not match the schema.

import Type from 'typebox';
import {
  EVENT_TYPES,
  HOST_PHASES,
  HOST_STATUSES,
  LABEL_KEY_MESSAGE,
  LABEL_KEY_PATTERN,
  LABEL_VALUE_MESSAGE,
  LABEL_VALUE_PATTERN,
  MAX_LABELS,
  NAME_MESSAGE,
  NAME_PATTERN,
  OPERATION_HOST_STATES,
  OPERATION_ID_PATTERN,
  OPERATION_KINDS,
  OPERATION_STATES,
  OUTAGE_REASONS,
  RECORD_STATUSES,
  RECORDED_PHASES,
  ROLES,
} from '../domain/vocabulary.ts';

export const text = (description: string, limits: { minLength?: number; maxLength?: number } = {}) =>
  Type.String({ ...limits, description });

export const optionalText = (...args: Parameters<typeof text>) => Type.Optional(text(...args));

export const integer = (description: string, limits: { minimum?: number; maximum?: number } = {}) =>
  Type.Integer({ ...limits, description });

export const boolean = (description: string) => Type.Boolean({ description });

/** Names a schema in the OpenAPI document, and so the types of generated clients. */
export const named = <Schema extends Type.TSchema>(component: string, schema: Schema): Schema =>
  Object.assign(schema, { 'x-component': component });

export const Name = Type.String({ pattern: `^${NAME_PATTERN}$`, rule: NAME_MESSAGE });

export const OptionalName = Type.String({
  pattern: `^(${NAME_PATTERN})?$`,
  rule: `${NAME_MESSAGE}, or empty for none`,
});

/**
 * Control characters, line breaks, lone surrogates (some stores reject them) and bidirectional control characters (they
 * can disguise text).
 */
export const CONTROL_CHARACTERS =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff';

export const Names = Type.Array(Type.String(), { description: 'Names, sorted by code point.' });

export const Address = text('IPv4 address, or IPv6 address in canonical form (RFC 5952).');

export const Hostname = text(
  'Hostname that the host or its source reports. Empty until known, and after the host was removed.',
);

export const Addresses = Type.Array(Address, { description: 'Host addresses, sorted by numeric value.' });

export const Timestamp = text('Time in UTC, such as `2015-12-17T15:48:18.710454`.');

export const orNull = <Schema extends Type.TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], { ...(description !== undefined && { description }) });

export const HostStatus = named('HostStatus', Type.Enum(HOST_STATUSES));
export const Role = named('Role', Type.Enum(ROLES));
export const OperationKind = named('OperationKind', Type.Enum(OPERATION_KINDS));
export const OperationState = named('OperationState', Type.Enum(OPERATION_STATES));
export const EventType = named('EventType', Type.Enum(EVENT_TYPES));
export const RecordStatus = named('RecordStatus', Type.Enum(RECORD_STATUSES));
export const HostPhase = named('HostPhase', Type.Enum(HOST_PHASES));
export const RecordedPhase = named('RecordedPhase', Type.Enum(RECORDED_PHASES));

export const HostState = named(
  'OperationHostState',
  Type.Enum(OPERATION_HOST_STATES, {
    description:
      'The phase; `queued` while the host is staged and waits for a slot; `unreachable` while the host does not respond.',
  }),
);

/** It counts against the budget of an operation. */
export const Outage = named(
  'Outage',
  Type.Object({
    address: Address,
    hostname: Hostname,
    reason: Type.Enum(OUTAGE_REASONS, { description: 'Why the host is unavailable.' }),
    detail: text('Details of the reason. Can be empty.'),
    since: orNull(Timestamp, 'Start of the outage; `null` if unknown.'),
  }),
);

export const OperationId = Type.String({
  pattern: `^${OPERATION_ID_PATTERN}$`,
  rule: 'must be an operation ID: 1 to 64 characters of A–Z a–z 0–9 _ -',
});

/** The values come from drivers. The OpenAPI document lists them. */
const driverEnum = (source: 'os' | 'transport') => (description: string) =>
  Type.String({ enumFrom: source, maxLength: 64, description });

export const Os = driverEnum('os');
export const Transport = driverEnum('transport');

const PRIVATE_KEY =
  'Unencrypted private key (OpenSSH, PKCS#8 or PEM; ed25519, ECDSA or RSA) in base64 without line breaks.';

const privateKey = (description: string) => Type.String({ minLength: 1, writeOnly: true, description });

export const PrivateKey = privateKey(PRIVATE_KEY);

/** A schema cannot express that only requests with an enrolment token can omit the key. */
export const OptionalPrivateKey = Type.Optional(
  privateKey(
    `${PRIVATE_KEY} Optional with an enrolment token: if it is omitted, Hostler connects with its own key. Required otherwise.`,
  ),
);

export const RemoteUser = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}$',
    rule: 'must be a user name: 1 to 64 characters of A–Z a–z 0–9 _ . @ -, starting with a letter, a digit or _',
    description,
  });

export const Labels = named(
  'Labels',
  Type.Record(Type.String(), Type.String({ pattern: `^${LABEL_VALUE_PATTERN}$`, rule: LABEL_VALUE_MESSAGE }), {
    propertyNames: Type.String({ pattern: `^${LABEL_KEY_PATTERN}$`, rule: LABEL_KEY_MESSAGE }),
    maxProperties: MAX_LABELS,
    description: `Labels by key, at most ${MAX_LABELS}.`,
  }),
);

export const LabelFilter = Type.String({
  pattern: `^${LABEL_KEY_PATTERN}(=${LABEL_VALUE_PATTERN})?$`,
  rule: 'must be a label filter: key=value or key',
});

export const Maintenance = named(
  'Maintenance',
  Type.Object({
    on: Type.Boolean(),
    reason: text('Reason for the maintenance. Empty if none was given, or if maintenance is off.'),
  }),
);

/** Response to DELETE. */
export const EmptyList = Type.Array(Type.Never(), { maxItems: 0 });

export const Limit = integer('Maximum number of entries. The header `Link` contains the next page.', {
  minimum: 1,
  maximum: 10_000,
});

/** For lists that grow without bound. */
export const DEFAULT_LIMIT = 100;

export const RecentLimit = integer(`Maximum number of entries. Default ${DEFAULT_LIMIT}.`, {
  minimum: 1,
  maximum: 1000,
});

/** Without `limit`: all remaining entries. */
export const Paging = Type.Object({
  limit: Type.Optional(Limit),
  after: optionalText('Return only entries after this one, the last entry of the previous page.', { maxLength: 128 }),
});

/** For lists of names, see `extendedResponse`. */
export const ExtendedPaging = Type.Object({
  ...Paging.properties,
  extended: Type.Optional(boolean('Return the records instead of their names.')),
});

export const MatchesPath = (parameter: string) => optionalText(`Must equal the ${parameter} in the URL.`);

/** For actions on the record in the path. */
export const NameInput = named('NameInput', Type.Object({ name: MatchesPath('name') }));

/** For actions without fields. */
export const EmptyInput = named('EmptyInput', Type.Object({}));

/** For routes with the address in the path. */
export const matchingAddressFields = { host: MatchesPath('address'), address: MatchesPath('address') };

/** `application/problem+json` (RFC 9457). */
export const Problem = named(
  'Problem',
  Type.Object({
    type: text('Relative URI reference to the documentation of `code`.'),
    title: Type.String(),
    status: Type.Integer(),
    detail: text('What is wrong with this request, and how to fix it.'),
    code: text('Stable error code in snake_case.'),
    request_id: Type.String(),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          path: text('JSON Pointer (RFC 6901) to the invalid value.'),
          message: Type.String(),
        }),
        { description: 'Invalid fields. For `host_conflict`: fields that differ from the enrolled host.' },
      ),
    ),
  }),
);
export type Problem = Type.Static<typeof Problem>;
