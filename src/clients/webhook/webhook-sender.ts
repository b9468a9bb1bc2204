// Sends messages to the receivers of webhooks. What must hold: certificates are verified; no redirect is followed; a private address is
// connected to only where that is allowed, whatever a name leads to at the moment; nothing is waited for or read without a limit; and
// no words of ours name the URL, which may hold a token.

import type { LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import { Agent } from 'undici';
import type { Secret } from '../../domain/secret.ts';
import type { PostWebhook, WebhookAnswer, WebhookMessage } from '../../domain/webhooks/webhook-message.ts';
import { ANSWER_WITHIN_MS } from '../../domain/webhooks/webhook-message.ts';
import { errorCode } from '../../lib/errors/error-code.ts';
import type { AlarmClock } from '../../lib/time/clock.ts';
import { sleep } from '../../lib/time/sleep.ts';
import { abortable } from '../abortable.ts';
import { standardAuthorities } from '../connections.ts';
import type { AddressRule } from '../guarded-lookup.ts';
import {
  ForbiddenAddress,
  guardedLookup,
  NO_METADATA,
  PUBLIC_ONLY,
  requireAllowed,
} from '../guarded-lookup.ts';
import { serverFailureOf } from '../server-failure.ts';

export interface WebhookSenderOptions {
  readonly clock: AlarmClock;
  readonly allowsPrivate: boolean;
  readonly allowsLinkLocal: boolean;
  /** Of ourselves. */
  readonly version: string;
  /** Whose certificates are trusted, instead of the system's. */
  readonly authorities?: readonly string[];
  readonly lookup?: LookupFunction;
}

/** What was answered counts with its status; of the rest as much is read as frees the connection for the next message. */
const REST_WITHIN_MS = 1000;
const REST_BYTES = 16 * 1024;

/** In words that hold nothing of the URL: messages of errors may name the host. */
function problemOf(error: unknown): string {
  if (error instanceof ForbiddenAddress) return error.message;
  const code = errorCode(error);
  const bare = Object.assign(new Error(code || 'connection failed'), { code });
  if (error instanceof Error) bare.name = error.name;
  const { kind, message } = serverFailureOf('the receiver', bare);
  return kind === 'untrusted' ? `the certificate is not trusted (${code})` : message;
}

export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #rule: AddressRule | undefined;
  #agent: Agent | undefined;

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
    const beyondPublic = options.allowsLinkLocal ? undefined : NO_METADATA;
    this.#rule = options.allowsPrivate ? beyondPublic : PUBLIC_ONLY;
  }

  readonly post: PostWebhook = async (url, message, signal) => {
    const over = new AbortController();
    const tooLate = new DOMException('too late', 'TimeoutError');
    const cancel = this.#options.clock.after(ANSWER_WITHIN_MS, () => over.abort(tooLate));
    try {
      return await this.#posted(url, message, signal ? AbortSignal.any([signal, over.signal]) : over.signal);
    } catch (error) {
      return { problem: problemOf(error) };
    } finally {
      cancel();
    }
  };

  async close(): Promise<void> {
    await this.#agent?.destroy();
  }

  /** Made when it is first needed: there are hundreds of authorities to read. */
  #open(): Agent {
    const { authorities = standardAuthorities() } = this.#options;
    const lookup = this.#options.lookup ?? (this.#rule && guardedLookup(this.#rule));
    return new Agent({
      // With HTTP/2 all would wait for the first connection, to learn what the server speaks.
      allowH2: false,
      connect: {
        timeout: ANSWER_WITHIN_MS,
        secureContext: createSecureContext({ ca: [...authorities] }),
        ...(lookup && { lookup }),
      },
    });
  }

  async #posted(url: Secret, message: WebhookMessage, signal: AbortSignal): Promise<WebhookAnswer> {
    const { version } = this.#options;
    const target = new URL(url.reveal());
    requireAllowed(target, this.#rule);
    signal.throwIfAborted();
    this.#agent ??= this.#open();
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
    await this.#readRest(body);
    const retryAfter = headers['retry-after'];
    return { status: statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
  }

  async #readRest(body: Dispatcher.ResponseData['body']): Promise<void> {
    const read = new AbortController();
    const dumped = body.dump({ limit: REST_BYTES }).finally(() => read.abort());
    await Promise.race([dumped, sleep(this.#options.clock, REST_WITHIN_MS, read.signal)]).catch(() => {});
    body.destroy();
  }
}
