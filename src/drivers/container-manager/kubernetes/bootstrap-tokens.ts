// Bootstrap tokens, by which a host shows that it may join: https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/
// Each is for one host and lives half an hour, or until the host has joined. Its id follows from the address, so that whoever goes on
// with the host finds the token that is there; the rest of it is random.

import { createHash, randomInt } from 'node:crypto';
import type { KubeSecret } from '../../../clients/kubernetes/kube-secret.ts';
import type { SecretsApi } from '../../../clients/kubernetes/secrets-api.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { Secret } from '../../../domain/secret.ts';

const NAMESPACE = 'kube-system';
const TYPE = 'bootstrap.kubernetes.io/token';
/** Whose host a token is for. */
const ANNOTATION = 'hostler/joining-host';
/** Those to whom kubeadm lets nodes join. */
const GROUP = 'system:bootstrappers:kubeadm:default-node-token';
const LIFE_MS = 30 * 60_000;
/** A host has to come to its end with what is left of it. */
const LEAST_LEFT_MS = 10 * 60_000;
/** Others' tokens may have our ids by chance, which one in two thousand million does. */
const MOST_IDS = 4;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const letter = (number: number) => ALPHABET.charAt(number % ALPHABET.length);

const idOf = (address: Address, number: number): string =>
  [...createHash('sha256').update(`${address} ${number}`).digest().subarray(0, 6)].map(letter).join('');

const randomSecret = (): string =>
  Array.from({ length: 16 }, () => letter(randomInt(ALPHABET.length))).join('');

const rfc3339 = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

const isFor = (address: Address, { type, annotations }: KubeSecret): boolean =>
  type === TYPE && annotations[ANNOTATION] === address;

function newToken(address: Address, id: string, nowMs: number): Omit<KubeSecret, 'uid'> {
  const fields = {
    description: `Created by Hostler to join ${address}; deleted after the join.`,
    'token-id': id,
    'token-secret': randomSecret(),
    expiration: rfc3339(nowMs + LIFE_MS),
    'usage-bootstrap-authentication': 'true',
    'usage-bootstrap-signing': 'true',
    'auth-extra-groups': GROUP,
  };
  return {
    namespace: NAMESPACE,
    name: `bootstrap-token-${id}`,
    type: TYPE,
    annotations: { [ANNOTATION]: address },
    data: Object.fromEntries(Object.entries(fields).map(([key, text]) => [key, new Secret(text)])),
  };
}

/** As a host shows it; `undefined` where one is not as we make them, or too old. */
function shownAs({ data }: Pick<KubeSecret, 'data'>, nowMs: number): Secret | undefined {
  const text = (key: string) => data[key]?.reveal() ?? '';
  const shown = `${text('token-id')}.${text('token-secret')}`;
  const isYoung = Date.parse(text('expiration')) - nowMs >= LEAST_LEFT_MS;
  const isForUse = text('usage-bootstrap-authentication') === 'true' && text('auth-extra-groups') === GROUP;
  return isYoung && isForUse && /^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(shown) ? new Secret(shown) : undefined;
}

export class BootstrapTokens {
  readonly #secrets: SecretsApi;
  readonly #now: () => number;

  constructor(secrets: SecretsApi, now: () => number) {
    this.#secrets = secrets;
    this.#now = now;
  }

  /** The token of a host; made where there is none that is good for long enough. */
  async mint(address: Address): Promise<Secret> {
    for (let number = 0; number < MOST_IDS; number += 1) {
      const token = await this.#mintAs(address, idOf(address, number));
      if (token !== undefined) return token;
    }
    throw new Error(
      `cannot create a bootstrap token for ${address}: all its names are in use in ${NAMESPACE}`,
    );
  }

  /** Deletes the tokens of a host, and none of anybody else. Those that were in the way of one may be gone by now. */
  async revoke(address: Address): Promise<void> {
    for (let number = 0; number < MOST_IDS; number += 1) {
      const found = await this.#find(idOf(address, number));
      if (found !== undefined && isFor(address, found)) await this.#secrets.delete(found);
    }
  }

  /** `undefined`: the id is somebody else's. */
  async #mintAs(address: Address, id: string): Promise<Secret | undefined> {
    const found = await this.#find(id);
    if (found !== undefined) {
      if (!isFor(address, found)) return undefined;
      const known = shownAs(found, this.#now());
      if (known !== undefined) return known;
      await this.#secrets.delete(found);
    }
    const token = newToken(address, id, this.#now());
    return (await this.#secrets.create(token)) === 'created' ? shownAs(token, this.#now()) : undefined;
  }

  #find(id: string): Promise<KubeSecret | undefined> {
    return this.#secrets.get(NAMESPACE, `bootstrap-token-${id}`);
  }
}
