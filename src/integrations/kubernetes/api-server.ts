import type { Static } from 'typebox';
import Type from 'typebox';
import type { Secret } from '../../domain/secret.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { JsonClientOptions, JsonRequest, JsonResponse } from '../http/json-client.ts';
import { isSuccess, JsonClient } from '../http/json-client.ts';
import { RemoteServerError } from '../http/remote-error.ts';
import { schemaParserOr } from '../http/schema-parser.ts';

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

/** Credentials are a token, or a client certificate and its key in `files`. */
export interface KubernetesClientOptions extends Omit<JsonClientOptions, 'headers'> {
  readonly token?: Secret | undefined;
  /** The option that sets the token, for messages. Default: `token`. */
  readonly tokenOption?: string;
}

export interface ApiRequest extends JsonRequest {
  /** The request in words, for messages: `list nodes`. */
  readonly action: string;
  /** Error statuses that the caller handles; all others are thrown. Default: none. */
  readonly acceptedStatuses?: readonly number[];
}

function unauthorizedHint({ token, tokenOption = 'token', files }: KubernetesClientOptions): string {
  const rejected = (credential: string, option: string) =>
    `rejected the ${credential} (401): it is wrong or has expired; set a new one in \`${option}\``;
  // An API server checks the certificate before the token.
  if (files?.certificatePath !== undefined) return rejected('client certificate', 'certificate_path');
  if (token !== undefined) return rejected('token', tokenOption);
  return `requires authentication (401): set a token in \`${tokenOption}\`, or a client certificate`;
}

export class ApiServer {
  readonly #client: JsonClient;
  readonly #unauthorizedHint: string;
  readonly #isUnencrypted: boolean;

  constructor(options: KubernetesClientOptions) {
    const { url, token, tokenOption: _, ...clientOptions } = options;
    const headers = token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` };
    this.#client = new JsonClient({ ...clientOptions, url, headers });
    this.#unauthorizedHint = unauthorizedHint(options);
    this.#isUnencrypted = token !== undefined && new URL(url).protocol === 'http:';
  }

  get displayName(): string {
    return this.#client.displayName;
  }

  async request({ action, acceptedStatuses = [], ...request }: ApiRequest): Promise<JsonResponse> {
    this.#assertEncrypted();
    const response = await this.#client.request(request);
    if (isSuccess(response) || acceptedStatuses.includes(response.status)) return response;
    throw this.toError(action, response);
  }

  /** Returns `undefined` if the object does not exist. */
  async get<T>(path: string, action: string, parse: (body: unknown) => T): Promise<T | undefined> {
    const { status, body } = await this.request({ method: 'GET', path, action, acceptedStatuses: [404] });
    return status === 404 ? undefined : parse(body);
  }

  /** Deletes the object only if its UID matches, or any object without `uid`. Succeeds if there is no such object. */
  async delete(path: string, action: string, uid: string | undefined): Promise<void> {
    const preconditions = uid === undefined ? undefined : { uid };
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions };
    await this.request({ method: 'DELETE', path, body, action, acceptedStatuses: [404, 409] });
  }

  /** Yields the lines of a streaming response. An error can also arrive as a line. */
  async *streamLines({
    action,
    acceptedStatuses = [],
    ...request
  }: ApiRequest & { signal: AbortSignal }): AsyncGenerator<JsonResponse> {
    this.#assertEncrypted();
    for await (const line of this.#client.streamLines(request)) {
      if (!isSuccess(line) && !acceptedStatuses.includes(line.status)) throw this.toError(action, line);
      yield line;
    }
  }

  get isVerified(): boolean {
    return this.#client.isVerified;
  }

  toError(action: string, { status, body }: JsonResponse): RemoteServerError {
    return new RemoteServerError('rejected', `${this.displayName} ${this.#describeError(action, status, body)}`);
  }

  #describeError(action: string, status: number, body: unknown): string {
    if (status === 401) return this.#unauthorizedHint;
    const reason = this.isVerified ? sanitizeLine(parseApiStatus(body).message ?? '') : '';
    const problem = status === 403 ? `denied permission to ${action}` : `failed to ${action}`;
    return `${problem} (${status})${reason && `: ${reason}`}`;
  }

  #assertEncrypted(): void {
    if (this.#isUnencrypted)
      throw new RemoteServerError(
        'untrusted',
        `${this.displayName}: the token would be sent unencrypted; use an https URL`,
      );
  }
}

export const listPath = (plural: string, namespace: string): string =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/${plural}`;

export const objectPath = (
  plural: string,
  { namespace, name }: Readonly<Record<'namespace' | 'name', string>>,
): string => `${listPath(plural, namespace)}/${encodeURIComponent(name)}`;
