// Sends messages to webhook receivers. Invariants: certificates are verified; redirects are not followed; private
// addresses are rejected after DNS resolution unless they are allowed; time and size are limited; no error contains the
// URL, which can hold a token.

import type { LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import { Agent } from 'undici';
import type { Secret } from '../domain/secret.ts';
import type { SendWebhook, WebhookMessage, WebhookResponse } from '../domain/webhooks/webhook-message.ts';
import { RESPONSE_TIMEOUT_MS } from '../domain/webhooks/webhook-message.ts';
import { errorCode } from '../lib/errors.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import { sleep } from '../lib/time/clock.ts';
import type { AddressRule } from './http/address-rules.ts';
import {
  assertAllowed,
  ForbiddenAddressError,
  filteredLookup,
  NO_METADATA,
  PUBLIC_ONLY,
} from './http/address-rules.ts';
import { abortable, defaultCaCertificates } from './http/connection-pool.ts';
import { toRemoteServerError } from './http/remote-error.ts';

export interface WebhookClientOptions {
  readonly clock: TimerClock;
  readonly allowsPrivate: boolean;
  readonly allowsLinkLocal: boolean;
  readonly version: string;
  readonly caCertificates?: readonly string[];
  readonly lookup?: LookupFunction;
}

/** Only the status counts. The body is read within these limits, to reuse the connection. */
const DRAIN_TIMEOUT_MS = 1000;
const MAX_DRAIN_BYTES = 16 * 1024;

/** Removes the URL: messages of errors can contain the host name. */
function describeError(error: unknown): string {
  if (error instanceof ForbiddenAddressError) return error.message;
  const code = errorCode(error);
  const sanitized = Object.assign(new Error(code || 'connection failed'), { code });
  if (error instanceof Error) sanitized.name = error.name;
  const { kind, message } = toRemoteServerError('the receiver', sanitized);
  return kind === 'untrusted' ? `the certificate is not trusted (${code})` : message;
}

export class WebhookClient {
  readonly #options: WebhookClientOptions;
  readonly #rule: AddressRule | undefined;
  #agent: Agent | undefined;

  constructor(options: WebhookClientOptions) {
    this.#options = options;
    const privateRule = options.allowsLinkLocal ? undefined : NO_METADATA;
    this.#rule = options.allowsPrivate ? privateRule : PUBLIC_ONLY;
  }

  readonly send: SendWebhook = async (url, message, signal) => {
    const timeout = new AbortController();
    const timeoutError = new DOMException('timed out', 'TimeoutError');
    const cancel = this.#options.clock.setTimer(RESPONSE_TIMEOUT_MS, () => timeout.abort(timeoutError));
    try {
      return await this.#send(url, message, signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal);
    } catch (error) {
      return { problem: describeError(error) };
    } finally {
      cancel();
    }
  };

  async close(): Promise<void> {
    await this.#agent?.destroy();
  }

  /** Created on first use, because hundreds of CA certificates must be parsed. */
  #createAgent(): Agent {
    const { caCertificates = defaultCaCertificates() } = this.#options;
    const lookup = this.#options.lookup ?? (this.#rule && filteredLookup(this.#rule));
    return new Agent({
      // With HTTP/2 all requests would wait for the protocol negotiation of the first connection.
      allowH2: false,
      connect: {
        timeout: RESPONSE_TIMEOUT_MS,
        secureContext: createSecureContext({ ca: [...caCertificates] }),
        ...(lookup && { lookup }),
      },
    });
  }

  async #send(url: Secret, message: WebhookMessage, signal: AbortSignal): Promise<WebhookResponse> {
    const { version } = this.#options;
    const target = new URL(url.reveal());
    assertAllowed(target, this.#rule);
    signal.throwIfAborted();
    this.#agent ??= this.#createAgent();
    const { statusCode, headers, body } = await abortable(
      signal,
      this.#agent.request({
        origin: target.origin,
        path: `${target.pathname}${target.search}`,
        method: 'POST',
        headers: { ...message.headers, 'user-agent': `hostler/${version}` },
        body: message.body,
        signal,
      }),
    );
    await this.#drainBody(body);
    const retryAfter = headers['retry-after'];
    return { status: statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
  }

  async #drainBody(body: Dispatcher.ResponseData['body']): Promise<void> {
    const read = new AbortController();
    const drained = body.dump({ limit: MAX_DRAIN_BYTES }).finally(() => read.abort());
    await Promise.race([drained, sleep(this.#options.clock, DRAIN_TIMEOUT_MS, read.signal)]).catch(() => {});
    body.destroy();
  }
}
