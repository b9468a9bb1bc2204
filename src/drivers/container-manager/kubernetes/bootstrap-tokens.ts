// Bootstrap tokens authenticate hosts that join:
// https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/
// Each token is for one host. It is deleted when the host has joined and expires after 30 minutes. The id is derived
// from the address, so that another server finds the existing token; the secret part is random.

import { createHash, randomInt } from 'node:crypto';
import type { Address } from '../../../domain/addresses/address.ts';
import { Secret } from '../../../domain/secret.ts';
import type { KubeSecret, SecretsApi } from '../../../integrations/kubernetes/secrets.ts';

const NAMESPACE = 'kube-system';
const TOKEN_TYPE = 'bootstrap.kubernetes.io/token';
const HOST_ANNOTATION = 'hostler/joining-host';
/** The group that kubeadm authorizes to join nodes. */
const BOOTSTRAP_GROUP = 'system:bootstrappers:kubeadm:default-node-token';
const LIFETIME_MS = 30 * 60_000;
/** The host must complete its join within this time. */
const MIN_REMAINING_MS = 10 * 60_000;
/** A foreign token has the same id with a probability of one in two billion. */
const MAX_ID_CANDIDATES = 4;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const toCharacter = (number: number) => ALPHABET.charAt(number % ALPHABET.length);

const tokenId = (address: Address, candidate: number): string =>
  [...createHash('sha256').update(`${address} ${candidate}`).digest().subarray(0, 6)].map(toCharacter).join('');

const randomSecret = (): string => Array.from({ length: 16 }, () => toCharacter(randomInt(ALPHABET.length))).join('');

const rfc3339 = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

const belongsTo = (address: Address, { type, annotations }: KubeSecret): boolean =>
  type === TOKEN_TYPE && annotations[HOST_ANNOTATION] === address;

function createToken(address: Address, id: string, nowMs: number): Omit<KubeSecret, 'uid'> {
  const fields = {
    description: `Created by Hostler to join ${address}; deleted after the join.`,
    'token-id': id,
    'token-secret': randomSecret(),
    expiration: rfc3339(nowMs + LIFETIME_MS),
    'usage-bootstrap-authentication': 'true',
    'usage-bootstrap-signing': 'true',
    'auth-extra-groups': BOOTSTRAP_GROUP,
  };
  return {
    namespace: NAMESPACE,
    name: `bootstrap-token-${id}`,
    type: TOKEN_TYPE,
    annotations: { [HOST_ANNOTATION]: address },
    data: Object.fromEntries(Object.entries(fields).map(([key, text]) => [key, new Secret(text)])),
  };
}

/** In the form that kubeadm expects; `undefined` if it is malformed, expires soon or is foreign. */
function usableToken({ data }: Pick<KubeSecret, 'data'>, nowMs: number): Secret | undefined {
  const text = (key: string) => data[key]?.reveal() ?? '';
  const token = `${text('token-id')}.${text('token-secret')}`;
  const isFreshEnough = Date.parse(text('expiration')) - nowMs >= MIN_REMAINING_MS;
  const isUsable = text('usage-bootstrap-authentication') === 'true' && text('auth-extra-groups') === BOOTSTRAP_GROUP;
  return isFreshEnough && isUsable && /^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(token) ? new Secret(token) : undefined;
}

export function createBootstrapTokens(secrets: SecretsApi, now: () => number) {
  const find = (id: string) => secrets.get(NAMESPACE, `bootstrap-token-${id}`);

  async function getOrCreateWithId(address: Address, id: string): Promise<Secret | undefined> {
    const found = await find(id);
    if (found !== undefined) {
      if (!belongsTo(address, found)) return undefined;
      const existing = usableToken(found, now());
      if (existing !== undefined) return existing;
      await secrets.delete(found);
    }
    const token = createToken(address, id, now());
    return (await secrets.create(token)) === 'created' ? usableToken(token, now()) : undefined;
  }

  return {
    async getOrCreate(address: Address): Promise<Secret> {
      for (let candidate = 0; candidate < MAX_ID_CANDIDATES; candidate += 1) {
        const token = await getOrCreateWithId(address, tokenId(address, candidate));
        if (token !== undefined) return token;
      }
      throw new Error(`cannot create a bootstrap token for ${address}: all its names are in use in ${NAMESPACE}`);
    },
    /** Checks all ids, because the foreign token that occupied an earlier id may be gone. */
    async revoke(address: Address): Promise<void> {
      for (let candidate = 0; candidate < MAX_ID_CANDIDATES; candidate += 1) {
        const found = await find(tokenId(address, candidate));
        if (found !== undefined && belongsTo(address, found)) await secrets.delete(found);
      }
    },
  };
}
