// The real server on a free loopback port, in this process, with its own store.

import { randomBytes } from 'node:crypto';
import type { TSchema } from 'typebox';
import { EVENT_PAYLOADS } from '../../src/contract/event-payloads.ts';
import type { Problem } from '../../src/contract/fields.ts';
import { routes } from '../../src/contract/index.ts';
import { getResponseSchema } from '../../src/contract/openapi.ts';
import type { RouteDefinition } from '../../src/contract/route-definition.ts';
import { getErrorStatuses, getSuccessStatuses } from '../../src/contract/route-definition.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { parseAddress } from '../../src/domain/addresses/address.ts';
import type { EventType, HostStatus, Role } from '../../src/domain/vocabulary.ts';
import { EVENT_TYPES } from '../../src/domain/vocabulary.ts';
import type { Log } from '../../src/lib/log.ts';
import { createLog } from '../../src/lib/log.ts';
import { compileSchema } from '../../src/lib/schema.ts';
import type { Client } from '../../src/sdk/client.ts';
import { createClient } from '../../src/sdk/client.ts';
import { loadConfig } from '../../src/server/configuration/config.ts';
import type { ServiceOverrides } from '../../src/server/start-service.ts';
import { startService } from '../../src/server/start-service.ts';
import type { Store } from '../../src/store/store.ts';
import { ADMIN_PASSWORD, basic, FAST_HASHER, PRIVATE_KEY } from './credentials.ts';
import type { StoreKind, TestDatabase } from './stores/stores.ts';
import { createTestDatabase } from './stores/stores.ts';

/** Shared, because each log adds listeners to its output stream. */
const silent = createLog('silent', false);

export interface Response<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}

export interface RequestOptions {
  /** `user:password`; `null` sends no credentials. */
  readonly as?: string | null;
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Record<string, string>;
}

const routeDefinitions: readonly RouteDefinition[] = Object.values(routes);
const patterns = routeDefinitions.flatMap(route =>
  [route.path, ...(route.aliases ?? [])].map(path => ({
    route,
    pattern: new RegExp(`^${path.replace(/\/$/, '').replace(/\{\w+\}/g, '[^/]+')}/?$`),
  })),
);

/** Disallows additional properties, so that tests detect undocumented response fields. */
const closeSchema = (schema: TSchema): TSchema =>
  JSON.parse(JSON.stringify(schema), (_key, part) =>
    part?.type === 'object' && part.properties && part.additionalProperties === undefined
      ? { ...part, additionalProperties: false }
      : part,
  );

const validators = new Map(
  routeDefinitions.map(route => [route, compileSchema(closeSchema(getResponseSchema(route)))]),
);

/** Every response must match its route definition, and therefore the OpenAPI document. */
function expectDocumentedResponse(method: string, path: string, { status, body }: Response): void {
  const routeMethod = method === 'HEAD' ? 'GET' : method;
  const { route } =
    patterns.find(candidate => candidate.route.method === routeMethod && candidate.pattern.test(path)) ?? {};
  if (route === undefined) return;
  const documented: readonly number[] = [...getSuccessStatuses(route), ...getErrorStatuses(route)];
  if (!documented.includes(status)) throw new Error(`${method} ${path} returned the undocumented status ${status}`);
  if (status >= 300 || method === 'HEAD' || route.mediaType !== undefined) return;
  const errors = validators.get(route)?.(body) ?? [];
  if (errors.length > 0) throw new Error(`${method} ${path} returned an undocumented body: ${JSON.stringify(errors)}`);
  if (route === routes.listAudit) for (const entry of body as readonly AuditEntry[]) expectDocumentedPayload(entry);
}

interface AuditEntry {
  readonly type: EventType;
  readonly data: unknown;
}

const validatePayload = new Map(
  EVENT_TYPES.map(type => [type, compileSchema(closeSchema(EVENT_PAYLOADS[type]))] as const),
);

function expectDocumentedPayload({ type, data }: AuditEntry): void {
  const errors = validatePayload.get(type)?.(data) ?? [];
  if (errors.length > 0) throw new Error(`undocumented payload of ${type}: ${JSON.stringify(errors)}`);
}

export class TestService {
  readonly url: string;
  readonly store: Store;
  readonly database: TestDatabase;
  readonly client: Client;
  readonly stop: () => Promise<void>;

  constructor(url: string, store: Store, database: TestDatabase, stop: () => Promise<void>) {
    this.url = url;
    this.store = store;
    this.database = database;
    this.stop = stop;
    this.client = this.createClientFor('admin', ADMIN_PASSWORD);
  }

  createClientFor(user: string, password: string): Client {
    return createClient({ baseUrl: this.url, user, password });
  }

  async request<Body = unknown>(method: string, path: string, options: RequestOptions = {}): Promise<Response<Body>> {
    const { as = `admin:${ADMIN_PASSWORD}`, body, raw, headers } = options;
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    // For strings, fetch would add a content type.
    const payload = typeof text === 'string' ? Buffer.from(text) : text;
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(as !== null && { authorization: basic(as) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
    });
    const responseText = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && responseText !== '';
    const result = {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(responseText) : undefined) as Body,
      text: responseText,
    };
    expectDocumentedResponse(method, new URL(response.url).pathname, result);
    return result;
  }

  get = <Body = unknown>(path: string, options?: RequestOptions) => this.request<Body>('GET', path, options);
  put = <Body = unknown>(path: string, body?: unknown, options?: RequestOptions) =>
    this.request<Body>('PUT', path, { ...options, body });
  delete = <Body = unknown>(path: string, options?: RequestOptions) => this.request<Body>('DELETE', path, options);

  /** Status and error code, such as `409 in_use`. */
  async errorCode(response: Promise<Response>): Promise<string> {
    const { status, body } = await response;
    return `${status} ${(body as Problem | undefined)?.code}`;
  }

  makeCluster(name: string): Promise<Response> {
    return this.put(`/api/v0/cluster/${name}`, { network: 'default' });
  }

  /** Enrols hosts and sets their status directly in the store. */
  async makeHosts(status: HostStatus, cluster: string | undefined, ...addresses: string[]): Promise<void> {
    for (const address of addresses) {
      await this.put(`/api/v0/host/${address}`, { ssh_priv_key: PRIVATE_KEY, ...(cluster && { cluster }) });
    }
    const parsed = addresses.map(text => parseAddress(text) as Address);
    await this.store.transaction(records => records.hosts.setStatus(parsed, status));
  }

  /** Returns the credentials. */
  async makeAccount(name: string, role: Role, password = `password of ${name}`): Promise<string> {
    await this.put(`/api/v0/user/${name}`, { password, role });
    return `${name}:${password}`;
  }
}

/** Tests must not send requests to DNS servers. */
const lookupNothing = async (): Promise<readonly string[]> => [];

/** Passwords are hashed fast unless `overrides` has another hasher. */
export async function startTestService(
  kind: StoreKind,
  settings: Readonly<Record<string, string>> = {},
  { log = silent, ...overrides }: ServiceOverrides & { readonly log?: Log } = {},
): Promise<TestService> {
  const database = await createTestDatabase(kind, { isMigrated: true });
  const config = loadConfig({
    environment: {
      HOSTLER_LISTEN: '127.0.0.1:0',
      HOSTLER_DATA: database.folder,
      HOSTLER_STORE: database.location,
      HOSTLER_ADMIN_PASSWORD: ADMIN_PASSWORD,
      HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
      // Tests use invented addresses that the server must not connect to.
      HOSTLER_TRANSPORT: 'none',
      ...settings,
    },
    flags: {},
  });
  const service = await startService(config, log, { ...FAST_HASHER, lookup: lookupNothing, ...overrides }).catch(
    async error => {
      await database.remove();
      throw error;
    },
  );
  return new TestService(service.url, service.store, database, async () => {
    await service.stop();
    await database.remove();
  });
}
