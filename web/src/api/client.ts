// The service as the dashboard asks it: the typed client, signed in by a cookie that no script sees. Everything it can do, curl can do.

import type { Client, Reply, Send } from '#client/client.ts';
import { createClient } from '#client/client.ts';
import { positionOf } from '#client/position-of.ts';
import type { AnswerOf, Route } from '#contract/route.ts';
import { sendConfirmed } from './confirmation.ts';
import { serviceClock } from './service-clock.ts';

/** No form and no other site can send it, so the cookie counts only where it stands. */
export const CALLER = { headers: { 'hostler-dashboard': '1' } };

const send: Send = (url, request) =>
  sendConfirmed(async () => {
    const answered = await fetch(url, request);
    serviceClock.hear(answered.headers.get('date'), Date.now());
    return answered;
  });

export const api: Client = createClient({ baseUrl: globalThis.location.origin, ...CALLER, send });

/** What was read, and the position of the log of events that it is true for. */
export interface Reading<T> {
  readonly value: T;
  readonly position: number;
}

export async function reading<R extends Route>(asked: Promise<Reply<R>>): Promise<Reading<AnswerOf<R>>> {
  const { body, headers } = await asked;
  return { value: body, position: positionOf(headers) };
}

/** A record as it was read, and what says so when it is changed or removed. */
export type Tagged<T> = T & { readonly etag: string };

export async function readTagged<Body extends object>(
  asked: Promise<{ readonly body: Body; readonly headers: Pick<Headers, 'get'> }>,
): Promise<Tagged<Body>> {
  const { body, headers } = await asked;
  return { ...body, etag: headers.get('etag') ?? '' };
}

/** Only the answer. */
export const answerOf = async <R extends Route>(asked: Promise<Reply<R>>): Promise<AnswerOf<R>> =>
  (await asked).body;
