import { timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';
import type { Address } from './addresses/address.ts';
import type { RecordName } from './record-name.ts';
import type { DriverRecordKind } from './vocabulary.ts';

/**
 * A private key, password or token in clear. It shows as `[secret]` wherever it is printed, logged, put into a message
 * or serialized; only `reveal` gives the text.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  /** In a time that does not tell how much of it agrees. */
  equals(other: Secret): boolean {
    const [mine, theirs] = [Buffer.from(this.#text), Buffer.from(other.#text)];
    return mine.length === theirs.length && timingSafeEqual(mine, theirs);
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}

declare const sealed: unique symbol;

/** A secret as the store sees it: encrypted, and bound to the place where it is kept. Only `secrets/` makes and opens one. */
export type Sealed = string & { readonly [sealed]: true };

/** Where a sealed value is kept; it cannot be opened from any other place. */
export interface SecretLocation {
  readonly table: string;
  readonly row: string;
  readonly column: string;
}

/** A key that secrets are encrypted with, itself encrypted with the key of whoever runs the service. */
export interface WrappedKey {
  readonly id: string;
  readonly wrapped: string;
}

/** Where wrapped keys are kept. */
export interface DataKeys {
  /** Oldest first. */
  all(): Promise<readonly WrappedKey[]>;
}

/** The same in a transaction. */
export interface TransactionDataKeys extends DataKeys {
  /** The id of the newest key, which stays the newest until the transaction ends. */
  lockNewest(): Promise<string>;
}

/**
 * What `secrets/` offers to those who hold secrets. Keys may be added at any moment, by another process too: so a secret is sealed
 * in the transaction that keeps it, with the key that is the newest there.
 */
export interface Vault {
  seal(secret: Secret, location: SecretLocation, keys: TransactionDataKeys): Promise<Sealed>;
  open(sealed: Sealed, location: SecretLocation, keys: DataKeys): Promise<Secret>;
}

// Where each secret of the store is kept. Whoever seals or opens one takes its place from here.

export const sshPrivateKeyLocation = (host: Address): SecretLocation => ({
  table: 'host_access',
  row: host,
  column: 'ssh_priv_key',
});

export const optionLocation = (kind: DriverRecordKind, name: RecordName, option: string): SecretLocation => ({
  table: 'driver_records',
  row: `${kind}/${name}`,
  column: `options.${option}`,
});

export const serviceKeyLocation: SecretLocation = {
  table: 'service_identity',
  row: '1',
  column: 'private_key',
};

export const logKeyLocation: SecretLocation = { table: 'log_keys', row: '1', column: 'sealed_key' };

export const webhookLocation = (name: RecordName, column: 'url' | 'secret'): SecretLocation => ({
  table: 'webhooks',
  row: name,
  column: `sealed_${column}`,
});

/** The service's own SSH key, which hosts that enrol by a token trust instead of sending one of theirs. */
export interface ServiceKey {
  /** As in `authorized_keys`. */
  readonly publicKey: string;
  /** In OpenSSH's form. It is never served. */
  readonly privateKey: Sealed;
}

/** Of a service that runs: it makes one before it answers anybody. */
export function requireServiceKey(serviceKey: ServiceKey | undefined): ServiceKey {
  if (serviceKey === undefined)
    throw new Error('the service has no SSH identity, although the server creates one at its start');
  return serviceKey;
}
