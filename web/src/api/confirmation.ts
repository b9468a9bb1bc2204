// Some changes need a confirmation of the password. The service answers `confirmation_needed`, the page asks the user, and the request is sent again.

import type { Answered } from '#client/client.ts';
import { problemOf } from '#client/client.ts';

/** Asks the user for the password. Resolves to whether the service confirmed it. */
type AskUser = () => Promise<boolean>;

let askUser: AskUser | undefined;
/** Requests that are refused while the user is being asked wait for the same answer. */
let pending: Promise<boolean> | undefined;

/** Sets who asks the user. Returns a function that removes it. */
export function onConfirmationNeeded(ask: AskUser): () => void {
  askUser = ask;
  return () => {
    if (askUser === ask) askUser = undefined;
  };
}

function confirm(): Promise<boolean> {
  pending ??= (askUser?.() ?? Promise.resolve(false)).finally(() => {
    pending = undefined;
  });
  return pending;
}

async function isConfirmationNeeded(response: Answered & { clone(): Answered }): Promise<boolean> {
  if (response.status !== 403) return false;
  return problemOf(response, await response.clone().text()).code === 'confirmation_needed';
}

/** Sends a request, and sends it again after the user has confirmed the password, if that is needed. */
export async function sendConfirmed(send: () => Promise<Response>): Promise<Response> {
  const response = await send();
  return (await isConfirmationNeeded(response)) && (await confirm()) ? send() : response;
}
