import { afterEach, expect, test, vi } from 'vitest';
import { onConfirmationNeeded, requestConfirmation, sendConfirmed } from './confirmation.ts';

const forbidden = (code: string) =>
  Response.json(
    { type: 'about:blank', title: 'Forbidden', status: 403, code, detail: 'Forbidden.', request_id: 'r' },
    { status: 403, headers: { 'content-type': 'application/problem+json' } },
  );
const done = () => new Response('{}');

/** Returns a send function whose first request is rejected with `confirmation_needed`. */
const forbiddenOnce = () =>
  vi
    .fn<() => Promise<Response>>()
    .mockResolvedValueOnce(forbidden('confirmation_needed'))
    .mockImplementation(async () => done());

let removeDialog: (() => void) | undefined;
let cancelAll: (() => void) | undefined;
// An open dialog would be shared with the next test.
afterEach(async () => {
  removeDialog?.();
  cancelAll?.();
  await requestConfirmation();
});

/** Registers a dialog that the test resolves. */
function registerDialog() {
  const resolvers: ((isConfirmed: boolean) => void)[] = [];
  removeDialog = onConfirmationNeeded(() => new Promise(resolve => resolvers.push(resolve)));
  cancelAll = () => {
    for (const resolve of resolvers) resolve(false);
  };
  return {
    timesOpened: () => resolvers.length,
    resolveNext: async (isConfirmed: boolean, times = 1) => {
      await expect.poll(() => resolvers).toHaveLength(times);
      resolvers.at(-1)?.(isConfirmed);
    },
  };
}

test('sendConfirmed returns a response that needs no confirmation without a dialog', async () => {
  const dialog = registerDialog();
  expect((await sendConfirmed(async () => done())).status).toBe(200);
  expect(dialog.timesOpened()).toBe(0);
});

test('sendConfirmed opens one dialog for two rejected requests and sends both again', async () => {
  const dialog = registerDialog();
  const sends = [forbiddenOnce(), forbiddenOnce()];
  const responses = sends.map(send => sendConfirmed(send));
  await dialog.resolveNext(true);
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200]);
  expect(sends.map(send => send.mock.calls.length)).toEqual([2, 2]);
  expect(dialog.timesOpened()).toBe(1);
});

test('sendConfirmed returns the 403 with a readable body when the user cancels, and opens a dialog for the next request', async () => {
  const dialog = registerDialog();
  const send = forbiddenOnce();
  const sent = sendConfirmed(send);
  await dialog.resolveNext(false);
  const response = await sent;
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: 'confirmation_needed' });
  expect(send).toHaveBeenCalledOnce();

  const next = sendConfirmed(forbiddenOnce());
  await dialog.resolveNext(true, 2);
  expect((await next).status).toBe(200);
});

test('sendConfirmed returns the 403 when no dialog is registered', async () => {
  registerDialog();
  removeDialog?.();
  const send = forbiddenOnce();
  expect((await sendConfirmed(send)).status).toBe(403);
  expect(send).toHaveBeenCalledOnce();
  expect(await requestConfirmation()).toBe(false);
});

test('sendConfirmed returns a 403 with another code without a dialog', async () => {
  const dialog = registerDialog();
  const send = vi.fn(async () => forbidden('forbidden'));
  expect((await sendConfirmed(send)).status).toBe(403);
  expect(send).toHaveBeenCalledOnce();
  expect(dialog.timesOpened()).toBe(0);
});

test('sendConfirmed sends a request again without a second dialog when it was sent before the confirmation', async () => {
  const dialog = registerDialog();
  const late = Promise.withResolvers<Response>();
  const send = forbiddenOnce().mockReset().mockReturnValueOnce(late.promise).mockResolvedValue(done());
  const slow = sendConfirmed(send);
  const quick = sendConfirmed(forbiddenOnce());
  await dialog.resolveNext(true);
  expect((await quick).status).toBe(200);

  late.resolve(forbidden('confirmation_needed'));
  await expect.poll(() => send).toHaveBeenCalledTimes(2);
  expect((await slow).status).toBe(200);
  expect(dialog.timesOpened()).toBe(1);
});

test('sendConfirmed opens a dialog for a request that is rejected after an earlier confirmation', async () => {
  const dialog = registerDialog();
  const first = requestConfirmation();
  await dialog.resolveNext(true);
  expect(await first).toBe(true);

  const sent = sendConfirmed(forbiddenOnce());
  await dialog.resolveNext(true, 2);
  expect((await sent).status).toBe(200);
});

test('sendConfirmed returns the second 403 when a request is rejected again after the confirmation', async () => {
  const dialog = registerDialog();
  const send = vi.fn(async () => forbidden('confirmation_needed'));
  const sent = sendConfirmed(send);
  await dialog.resolveNext(true);
  expect((await sent).status).toBe(403);
  expect(send).toHaveBeenCalledTimes(2);
  expect(dialog.timesOpened()).toBe(1);
});
