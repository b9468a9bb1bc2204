// The server rejects some requests with `confirmation_needed` until the user confirms the password. The dashboard then
// opens a dialog and sends the request again.

import type { HttpResponse } from '#sdk/client.ts';
import { toProblem } from '#sdk/errors.ts';

/** Resolves to true when the server has confirmed the password, and to false when the user cancels. */
type OpenDialog = () => Promise<boolean>;

let openDialog: OpenDialog | undefined;
/** Result of the open dialog. Requests that are rejected while it is open share it. */
let pending: Promise<boolean> | undefined;
/** Number of confirmations. A counter orders requests and confirmations without a clock. */
let confirmations = 0;

export function onConfirmationNeeded(open: OpenDialog): () => void {
  openDialog = open;
  return () => {
    if (openDialog === open) openDialog = undefined;
  };
}

async function openRegisteredDialog(): Promise<boolean> {
  const isConfirmed = (await openDialog?.()) ?? false;
  if (isConfirmed) confirmations += 1;
  return isConfirmed;
}

/** Resolves to false when the user cancels or when no dialog is registered. */
export function requestConfirmation(): Promise<boolean> {
  pending ??= openRegisteredDialog().finally(() => {
    pending = undefined;
  });
  return pending;
}

async function isConfirmationNeeded(response: HttpResponse & { clone(): HttpResponse }): Promise<boolean> {
  if (response.status !== 403) return false;
  return toProblem(response, await response.clone().text()).code === 'confirmation_needed';
}

export async function sendConfirmed(send: () => Promise<Response>): Promise<Response> {
  const confirmationsBefore = confirmations;
  const response = await send();
  if (!(await isConfirmationNeeded(response))) return response;
  // The user confirmed the password after this request was sent, so it can succeed without another dialog.
  if (confirmations > confirmationsBefore) return sendConfirmed(send);
  return (await requestConfirmation()) ? send() : response;
}
