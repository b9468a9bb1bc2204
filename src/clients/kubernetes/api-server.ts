import type { Secret } from '../../domain/secret.ts';
import type { Connections } from '../connections.ts';
import type { JsonAnswer, JsonCall } from '../json-server.ts';
import { JsonServer } from '../json-server.ts';
import { ServerFailure } from '../server-failure.ts';
import type { TlsFiles } from '../tls-files.ts';
import type { Credential, KubernetesRefusal } from './kubernetes-refusal.ts';
import { refusalOf } from './kubernetes-refusal.ts';

/** What it takes to talk to a Kubernetes API: a token, or a certificate and its key among the files. */
export interface KubernetesAccess {
  readonly url: string;
  readonly token?: Secret | undefined;
  /** Where people have given the token, for messages. Default: `token`. */
  readonly tokenOption?: string;
  readonly files?: TlsFiles;
  readonly connections: Connections;
  readonly mayProceed?: () => boolean;
  /** For a whole answer. */
  readonly timeoutMs?: number;
}

export interface ApiCall extends JsonCall {
  /** What is asked for, for messages: `list nodes`. */
  readonly what: string;
  /** Answers of HTTP that the caller understands; all others are thrown. Default: those of success. */
  readonly expects?: readonly number[];
}

function credentialOf({ token, tokenOption = 'token', files }: KubernetesAccess): Credential {
  // A server that is shown both looks at the certificate first.
  if (files?.certificatePath !== undefined) return { kind: 'certificate', option: 'certificate_path' };
  return { kind: token === undefined ? 'none' : 'token', option: tokenOption };
}

const isSuccess = (status: number) => status >= 200 && status < 300;

/** One API server, with what we show to be known by. */
export class ApiServer {
  readonly #server: JsonServer;
  readonly #credential: Credential;
  readonly #isInClear: boolean;

  constructor(access: KubernetesAccess) {
    const { url, token, files = {}, connections, mayProceed, timeoutMs } = access;
    this.#server = new JsonServer({
      url,
      files,
      headers: token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` },
      connections,
      ...(mayProceed && { mayProceed }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    this.#credential = credentialOf(access);
    this.#isInClear = token !== undefined && new URL(url).protocol === 'http:';
  }

  /** As it is told to people. */
  get name(): string {
    return this.#server.name;
  }

  async ask({ what, expects = [], ...call }: ApiCall): Promise<JsonAnswer> {
    this.#refuseInClear();
    const answer = await this.#server.call(call);
    if (isSuccess(answer.status) || expects.includes(answer.status)) return answer;
    throw this.refusal(what, answer);
  }

  /** The lines of an answer without end. One of them may tell that it was refused. */
  async *lines({
    what,
    expects = [],
    ...call
  }: ApiCall & { signal: AbortSignal }): AsyncGenerator<JsonAnswer> {
    this.#refuseInClear();
    for await (const line of this.#server.lines(call)) {
      if (!isSuccess(line.status) && !expects.includes(line.status)) throw this.refusal(what, line);
      yield line;
    }
  }

  get isVerified(): boolean {
    return this.#server.isVerified;
  }

  refusal(what: string, { status, body }: JsonAnswer): KubernetesRefusal {
    const quoted = { status, body: this.isVerified ? body : undefined };
    return refusalOf(this.name, what, quoted, this.#credential);
  }

  #refuseInClear(): void {
    if (this.#isInClear)
      throw new ServerFailure(
        'untrusted',
        `${this.name}: the token would be sent unencrypted; use an https URL`,
      );
  }
}
