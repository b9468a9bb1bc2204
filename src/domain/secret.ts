import { timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';
import type { Address } from './addresses/address.ts';
import type { RecordName } from './record-name.ts';
import type { DriverRecordKind } from './vocabulary.ts';

/** Prints, logs and serializes as `[secret]`; only `reveal` returns the text. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  /** Constant time, so that the duration does not reveal how many characters match. */
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

/** Encrypted and bound to its location. Only `secrets/` creates and opens it. */
export type Sealed = string & { readonly [sealed]: true };

export interface SecretLocation {
  readonly table: string;
  readonly row: string;
  readonly column: string;
}

/** Encrypted with the secret key of the service. */
export interface WrappedKey {
  readonly id: string;
  readonly wrapped: string;
}

export interface DataKeys {
  /** Oldest first. */
  listAll(): Promise<readonly WrappedKey[]>;
}

export interface TransactionDataKeys extends DataKeys {
  /** Prevents a new key until the transaction ends. */
  lockNewest(): Promise<string>;
}

/**
 * Another process can add a data key at any time, so a secret is sealed in the transaction that stores it, with the
 * newest key there.
 */
export interface Vault {
  seal(secret: Secret, location: SecretLocation, keys: TransactionDataKeys): Promise<Sealed>;
  open(sealed: Sealed, location: SecretLocation, keys: DataKeys): Promise<Secret>;
}

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

export const serviceKeyLocation: SecretLocation = { table: 'service_identity', row: '1', column: 'private_key' };

export const logKeyLocation: SecretLocation = { table: 'log_keys', row: '1', column: 'sealed_key' };

export const webhookLocation = (name: RecordName, column: 'url' | 'secret'): SecretLocation => ({
  table: 'webhooks',
  row: name,
  column: `sealed_${column}`,
});

/** Hosts that enrol by token trust this SSH key instead of sending a private key. */
export interface ServiceKey {
  readonly publicKey: string;
  /** In OpenSSH format. The API never returns it. */
  readonly privateKey: Sealed;
}

/** The server creates the key before it accepts requests. */
export function requireServiceKey(serviceKey: ServiceKey | undefined): ServiceKey {
  if (serviceKey === undefined)
    throw new Error('the service has no SSH identity, although the server creates one at its start');
  return serviceKey;
}
