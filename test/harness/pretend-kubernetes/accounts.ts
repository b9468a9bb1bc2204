// Who calls: by a token that a test has given out, by a bootstrap token that is a Secret, or by a client certificate.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { unauthorized } from './api-error.ts';
import type { Cluster } from './cluster.ts';
import { fieldsAt, textAt } from './objects.ts';
import { SECRETS } from './resources.ts';

/** `*` is any. A subresource is named with its resource: `pods/eviction`. */
export interface Right {
  readonly verbs: readonly string[];
  readonly resources: readonly string[];
}

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly rights: readonly Right[];
}

export interface TokenOptions {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly rights?: readonly Right[];
  /** Milliseconds since 1970. Default: never. */
  readonly expiresAtMs?: number;
}

const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'], rights: [] };
const BOOTSTRAPPERS = 'system:bootstrappers';

export class Accounts {
  readonly #cluster: Cluster;
  readonly #tokens = new Map<string, TokenOptions>();
  readonly #rights = new Map<string, readonly Right[]>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  addToken(token: string, options: TokenOptions): void {
    this.#tokens.set(token, options);
  }

  revokeToken(token: string): void {
    this.#tokens.delete(token);
  }

  /** What a user may do, however it logs in. */
  grant(user: string, rights: readonly Right[]): void {
    this.#rights.set(user, rights);
  }

  /** Whoever shows nothing is anonymous; whoever shows something wrong is refused. */
  identify(request: IncomingMessage): User {
    const byCertificate = this.#ofCertificate(request);
    if (byCertificate !== undefined && byCertificate !== 'refused') return byCertificate;
    const { authorization } = request.headers;
    if (authorization === undefined && byCertificate === undefined) return ANONYMOUS;
    const token = /^bearer (.+)$/i.exec(authorization ?? '')?.[1];
    const user = token === undefined ? undefined : (this.#ofToken(token) ?? this.#ofBootstrapToken(token));
    if (user === undefined) throw unauthorized();
    return user;
  }

  #user(name: string, groups: readonly string[], rights: readonly Right[] = []): User {
    const own = this.#rights.get(name) ?? [];
    return { name, groups: [...groups, 'system:authenticated'], rights: [...rights, ...own] };
  }

  #ofToken(token: string): User | undefined {
    const known = this.#tokens.get(token);
    if (known === undefined || (known.expiresAtMs ?? Infinity) <= this.#cluster.clock.now()) return undefined;
    return this.#user(known.user, known.groups ?? [], known.rights);
  }

  #ofBootstrapToken(token: string): User | undefined {
    const [, id = '', secret = ''] = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(token) ?? [];
    const found = this.#cluster.store.get(SECRETS, 'kube-system', `bootstrap-token-${id}`);
    if (found === undefined || found['type'] !== 'bootstrap.kubernetes.io/token') return undefined;
    if (found.metadata.deletionTimestamp !== undefined) return undefined;
    const data = fieldsAt(found, 'data');
    const read = (key: string) => Buffer.from(textAt(data, key), 'base64').toString();
    const [kept, shown] = [Buffer.from(read('token-secret')), Buffer.from(secret)];
    const isRight = kept.length === shown.length && timingSafeEqual(kept, shown) && read('token-id') === id;
    if (!isRight || this.#hasExpired(read('expiration'))) return undefined;
    if (read('usage-bootstrap-authentication') !== 'true') return undefined;
    const extra = read('auth-extra-groups')
      .split(',')
      .filter(group => group !== '');
    if (!extra.every(group => /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/.test(group)))
      return undefined;
    return this.#user(`system:bootstrap:${id}`, [BOOTSTRAPPERS, ...extra].sort());
  }

  /** A time that cannot be read is over. */
  #hasExpired(expiration: string): boolean {
    if (expiration === '') return false;
    const atMs = Date.parse(expiration);
    return Number.isNaN(atMs) || atMs <= this.#cluster.clock.now();
  }

  #ofCertificate({ socket }: IncomingMessage): User | 'refused' | undefined {
    if (!(socket instanceof TLSSocket)) return undefined;
    // Empty when none was shown, null when the connection is gone already.
    const subject = socket.getPeerCertificate()?.subject;
    if (subject === undefined) return undefined;
    if (!socket.authorized) return 'refused';
    const groups = [subject.O].flat().filter(group => typeof group === 'string');
    return this.#user(String(subject.CN), groups);
  }
}
