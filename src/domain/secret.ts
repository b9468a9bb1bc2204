import { timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

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
export interface SealedPlace {
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
export interface KeptKeys {
  /** Oldest first. */
  all(): Promise<readonly WrappedKey[]>;
}

/** The same in a transaction. */
export interface HeldKeys extends KeptKeys {
  /** The id of the newest key, which stays the newest until the transaction ends. */
  holdNewest(): Promise<string>;
}

/**
 * What `secrets/` offers to those who hold secrets. Keys may be added at any moment, by another process too: so a secret is sealed
 * in the transaction that keeps it, with the key that is the newest there.
 */
export interface Vault {
  seal(secret: Secret, place: SealedPlace, keys: HeldKeys): Promise<Sealed>;
  open(sealed: Sealed, place: SealedPlace, keys: KeptKeys): Promise<Secret>;
}
