import { harmless } from '../../lib/text/harmless.ts';
import type { JsonAnswer } from '../json-server.ts';
import { apiStatusOf } from './api-status.ts';

/** The API has answered, and does not do what it was asked. The message is for people, and names the server. */
export class KubernetesRefusal extends Error {
  /** Of HTTP. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What the caller shows to be known by, in words that name the option to change. */
export type Credential = { readonly kind: 'token' | 'certificate' | 'none'; readonly option: string };

const REFUSED: Readonly<Record<Credential['kind'], (option: string) => string>> = {
  token: option => `rejected the token (401): it is wrong or has expired; set a new one in \`${option}\``,
  certificate: option =>
    `rejected the client certificate (401): it is wrong or has expired; set a new one in \`${option}\``,
  none: option => `requires authentication (401): set a token in \`${option}\`, or a client certificate`,
};

/** `what` is what was asked for, as in `list nodes`. */
export function refusalOf(
  server: string,
  what: string,
  { status, body }: JsonAnswer,
  { kind, option }: Credential,
): KubernetesRefusal {
  if (status === 401) return new KubernetesRefusal(status, `${server} ${REFUSED[kind](option)}`);
  const said = harmless(apiStatusOf(body).message ?? '');
  const why = said === '' ? '' : `: ${said}`;
  const message =
    status === 403
      ? `${server} denied permission to ${what} (403)${why}`
      : `${server} failed to ${what} (${status})${why}`;
  return new KubernetesRefusal(status, message);
}
