import type { Static } from 'typebox';
import Type from 'typebox';
import type { Secret } from '../../domain/secret.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { ConnectionPool } from '../http/connection-pool.ts';
import type { JsonRequest, JsonResponse } from '../http/json-client.ts';
import { JsonClient } from '../http/json-client.ts';
import { RemoteServerError } from '../http/remote-error.ts';
import { schemaParserOr } from '../http/schema-parser.ts';
import type { TlsFiles } from '../http/tls-files.ts';

const statusSchema = Type.Object({
  message: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  details: Type.Optional(
    Type.Object({
      name: Type.Optional(Type.String()),
      retryAfterSeconds: Type.Optional(Type.Number()),
      causes: Type.Optional(Type.Array(Type.Object({ message: Type.Optional(Type.String()) }))),
    }),
  ),
  code: Type.Optional(Type.Number()),
});

/** The error object of the Kubernetes API. All texts are untrusted. */
type ApiStatus = Static<typeof statusSchema>;

/** Returns an empty status if the body is not from the API, for example from a load balancer. */
export const parseApiStatus: (body: unknown) => ApiStatus = schemaParserOr(statusSchema, {});

type Credential = { readonly kind: 'token' | 'certificate' | 'none'; readonly option: string };

const UNAUTHORIZED_HINTS: Readonly<Record<Credential['kind'], (option: string) => string>> = {
  token: option => `rejected the token (401): it is wrong or has expired; set a new one in \`${option}\``,
  certificate: option =>
    `rejected the client certificate (401): it is wrong or has expired; set a new one in \`${option}\``,
  none: option => `requires authentication (401): set a token in \`${option}\`, or a client certificate`,
};

/** `action` is the request in words, such as `list nodes`. */
function toKubernetesError(
  server: string,
  action: string,
  { status, body }: JsonResponse,
  { kind, option }: Credential,
): RemoteServerError {
  if (status === 401) return new RemoteServerError('rejected', `${server} ${UNAUTHORIZED_HINTS[kind](option)}`);
  const reason = sanitizeLine(parseApiStatus(body).message ?? '');
  const suffix = reason === '' ? '' : `: ${reason}`;
  const message =
    status === 403
      ? `${server} denied permission to ${action} (403)${suffix}`
      : `${server} failed to ${action} (${status})${suffix}`;
  return new RemoteServerError('rejected', message);
}

/** Credentials are a token, or a client certificate and its key in `files`. */
export interface KubernetesClientOptions {
  readonly url: string;
  readonly token?: Secret | undefined;
  /** The option that sets the token, for messages. Default: `token`. */
  readonly tokenOption?: string;
  readonly files?: TlsFiles;
  readonly connections: ConnectionPool;
  readonly mayProceed?: () => boolean;
  readonly timeoutMs?: number;
}

export interface ApiRequest extends JsonRequest {
  /** The request in words, for messages: `list nodes`. */
  readonly action: string;
  /** Error statuses that the caller handles; all others are thrown. Default: none. */
  readonly acceptedStatuses?: readonly number[];
}

function credentialOf({ token, tokenOption = 'token', files }: KubernetesClientOptions): Credential {
  // An API server checks the certificate before the token.
  if (files?.certificatePath !== undefined) return { kind: 'certificate', option: 'certificate_path' };
  return { kind: token === undefined ? 'none' : 'token', option: tokenOption };
}

const isSuccess = (status: number) => status >= 200 && status < 300;

export class ApiServer {
  readonly #client: JsonClient;
  readonly #credential: Credential;
  readonly #isUnencrypted: boolean;

  constructor(options: KubernetesClientOptions) {
    const { url, token, files = {}, connections, mayProceed, timeoutMs } = options;
    this.#client = new JsonClient({
      url,
      files,
      headers: token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` },
      connections,
      ...(mayProceed && { mayProceed }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    this.#credential = credentialOf(options);
    this.#isUnencrypted = token !== undefined && new URL(url).protocol === 'http:';
  }

  get displayName(): string {
    return this.#client.displayName;
  }

  async request({ action, acceptedStatuses = [], ...request }: ApiRequest): Promise<JsonResponse> {
    this.#assertEncrypted();
    const response = await this.#client.request(request);
    if (isSuccess(response.status) || acceptedStatuses.includes(response.status)) return response;
    throw this.toError(action, response);
  }

  /** Yields the lines of a streaming response. An error can also arrive as a line. */
  async *streamLines({
    action,
    acceptedStatuses = [],
    ...request
  }: ApiRequest & { signal: AbortSignal }): AsyncGenerator<JsonResponse> {
    this.#assertEncrypted();
    for await (const line of this.#client.streamLines(request)) {
      if (!isSuccess(line.status) && !acceptedStatuses.includes(line.status)) throw this.toError(action, line);
      yield line;
    }
  }

  get isVerified(): boolean {
    return this.#client.isVerified;
  }

  toError(action: string, { status, body }: JsonResponse): RemoteServerError {
    const quoted = { status, body: this.isVerified ? body : undefined };
    return toKubernetesError(this.displayName, action, quoted, this.#credential);
  }

  #assertEncrypted(): void {
    if (this.#isUnencrypted)
      throw new RemoteServerError(
        'untrusted',
        `${this.displayName}: the token would be sent unencrypted; use an https URL`,
      );
  }
}

const inNamespace = (plural: string) => (namespace: string) =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/${plural}`;

interface Named {
  readonly namespace: string;
  readonly name: string;
}

const namedIn =
  (plural: string) =>
  ({ namespace, name }: Named) =>
    `${inNamespace(plural)(namespace)}/${encodeURIComponent(name)}`;

export const podPath = namedIn('pods');
export const secretsPath = inNamespace('secrets');
export const secretPath = namedIn('secrets');
export const configMapPath = namedIn('configmaps');
