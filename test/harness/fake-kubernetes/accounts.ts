// Authentication by test token, bootstrap token (a Secret) or client certificate.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { unauthorized } from './api-error.ts';
import type { Cluster } from './cluster.ts';
import { fieldsAt, textAt } from './objects.ts';
import { SECRETS } from './resources.ts';

/** `*` matches all. Subresources are written as `pods/eviction`. */
export interface Permission {
  readonly verbs: readonly string[];
  readonly resources: readonly string[];
}

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly permissions: readonly Permission[];
}

export interface TokenOptions {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly permissions?: readonly Permission[];
  /** Milliseconds since 1970. Default: never. */
  readonly expiresAtMs?: number;
}

const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'], permissions: [] };
const BOOTSTRAPPERS = 'system:bootstrappers';

export class Accounts {
  readonly #cluster: Cluster;
  readonly #tokens = new Map<string, TokenOptions>();
  readonly #permissions = new Map<string, readonly Permission[]>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  addToken(token: string, options: TokenOptions): void {
    this.#tokens.set(token, options);
  }

  revokeToken(token: string): void {
    this.#tokens.delete(token);
  }

  /** Adds permissions of a user for any authentication method. */
  grant(user: string, permissions: readonly Permission[]): void {
    this.#permissions.set(user, permissions);
  }

  /** Requests without credentials are anonymous; wrong credentials are rejected. */
  identify(request: IncomingMessage): User {
    const byCertificate = this.#authenticateCertificate(request);
    if (byCertificate !== undefined && byCertificate !== 'rejected') return byCertificate;
    const { authorization } = request.headers;
    if (authorization === undefined && byCertificate === undefined) return ANONYMOUS;
    const token = /^bearer (.+)$/i.exec(authorization ?? '')?.[1];
    const user =
      token === undefined ? undefined : (this.#authenticateToken(token) ?? this.#authenticateBootstrapToken(token));
    if (user === undefined) throw unauthorized();
    return user;
  }

  #user(name: string, groups: readonly string[], permissions: readonly Permission[] = []): User {
    const granted = this.#permissions.get(name) ?? [];
    return { name, groups: [...groups, 'system:authenticated'], permissions: [...permissions, ...granted] };
  }

  #authenticateToken(token: string): User | undefined {
    const options = this.#tokens.get(token);
    if (options === undefined || (options.expiresAtMs ?? Infinity) <= this.#cluster.clock.now()) return undefined;
    return this.#user(options.user, options.groups ?? [], options.permissions);
  }

  #authenticateBootstrapToken(token: string): User | undefined {
    const [, id = '', secret = ''] = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(token) ?? [];
    const found = this.#cluster.store.get(SECRETS, 'kube-system', `bootstrap-token-${id}`);
    if (found === undefined || found['type'] !== 'bootstrap.kubernetes.io/token') return undefined;
    if (found.metadata.deletionTimestamp !== undefined) return undefined;
    const data = fieldsAt(found, 'data');
    const read = (key: string) => Buffer.from(textAt(data, key), 'base64').toString();
    const [expected, presented] = [Buffer.from(read('token-secret')), Buffer.from(secret)];
    const isValid =
      expected.length === presented.length && timingSafeEqual(expected, presented) && read('token-id') === id;
    if (!isValid || this.#hasExpired(read('expiration'))) return undefined;
    if (read('usage-bootstrap-authentication') !== 'true') return undefined;
    const extra = read('auth-extra-groups')
      .split(',')
      .filter(group => group !== '');
    if (!extra.every(group => /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/.test(group))) return undefined;
    return this.#user(`system:bootstrap:${id}`, [BOOTSTRAPPERS, ...extra].sort());
  }

  /** An invalid time counts as expired. */
  #hasExpired(expiration: string): boolean {
    if (expiration === '') return false;
    const atMs = Date.parse(expiration);
    return Number.isNaN(atMs) || atMs <= this.#cluster.clock.now();
  }

  #authenticateCertificate({ socket }: IncomingMessage): User | 'rejected' | undefined {
    if (!(socket instanceof TLSSocket)) return undefined;
    // Empty without a certificate, null if the connection is closed.
    const subject = socket.getPeerCertificate()?.subject;
    if (subject === undefined) return undefined;
    if (!socket.authorized) return 'rejected';
    const groups = [subject.O].flat().filter(group => typeof group === 'string');
    return this.#user(String(subject.CN), groups);
  }
}
