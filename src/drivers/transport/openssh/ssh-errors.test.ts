import { describe, expect, test } from 'vitest';
import { isHostKeyRejection, toTransportFailure } from './ssh-errors.ts';

const DIRECT = { user: 'core', hasProxy: false };
const THROUGH_JUMP_HOST = { user: 'core', hasProxy: true };
const exit = (...lines: string[]) => ({
  exitCode: 255,
  stderrTail: lines.map(line => `${line}\r\n`).join(''),
});
const NO_SSH_BANNER = 'kex_exchange_identification: Connection closed by remote host';
const VFATAL = 'packet.c:sshpkt_vfatal():1901 (pid=42): ';

describe('toTransportFailure of ssh', () => {
  test.each([
    ['ssh: connect to host ::1 port 22: Connection refused', /^connection refused.*port 22/],
    ['ssh: connect to host 127.0.0.1 port 22: No route to host', /^no route to the host/],
    ['ssh: connect to host 127.0.0.1 port 22: Network is unreachable', /^the network of the host is unreachable/],
    ['ssh: connect to host 127.0.0.1 port 22: Connection timed out', /^the host does not respond/],
    ['Timeout, server 127.0.0.1 not responding.', /^the host does not respond/],
    [NO_SSH_BANNER, /^the connection was closed before the SSH banner/],
    [`${VFATAL}Connection reset by 127.0.0.1 port 22`, /^the host closed the connection/],
    [
      `${VFATAL}Unable to negotiate with 127.0.0.1 port 22: no matching key exchange method found. Their offer: odd`,
      /^the host supports no key exchange method that ssh on this server uses; it offers odd$/,
    ],
    ['Bad packet length 1349676916.', /^the connection failed: Bad packet length/],
    ['debug1: clientloop.c:client_loop():1290 (pid=9): Entering interactive session.', /^the host closed/],
  ])('returns unreachable for %s', (line, detail) => {
    const failure = toTransportFailure(exit(line), DIRECT);
    expect([failure.kind, failure.detail]).toEqual(['unreachable', expect.stringMatching(detail)]);
  });

  test('returns auth_rejected without text from the host', () => {
    const failure = toTransportFailure(exit('core@127.0.0.1: Permission denied (publickey).'), DIRECT);
    expect(failure).toMatchObject({
      kind: 'auth_rejected',
      detail: 'the host rejected the user core with this key',
    });
  });

  test('sanitizes text from the host', () => {
    const line = 'Received disconnect from 127.0.0.1 port 22:2: \u001b[31mred';
    expect(toTransportFailure(exit(line), DIRECT).detail).toBe(`the connection failed: ${line.replace('\u001b', '')}`);
  });

  test('detects a rejected host key of a direct connection', () => {
    expect(isHostKeyRejection(exit('Host key verification failed.'), DIRECT)).toBe(true);
    const typeMissing = `${VFATAL}Unable to negotiate with x: no matching host key type found. Their offer: y`;
    expect(isHostKeyRejection(exit(typeMissing), DIRECT)).toBe(true);
    expect(isHostKeyRejection(exit(NO_SSH_BANNER), DIRECT)).toBe(false);
  });

  test('distinguishes errors of the jump host from errors of the host', () => {
    const proxyLost = exit('Host key verification failed.', NO_SSH_BANNER);
    expect(isHostKeyRejection(proxyLost, THROUGH_JUMP_HOST)).toBe(false);
    expect(toTransportFailure(proxyLost, THROUGH_JUMP_HOST).detail).toMatch(
      /^the jump host .*: Host key verification failed\.$/,
    );
    const denied = exit('core@jump: Permission denied (publickey).', NO_SSH_BANNER);
    expect(toTransportFailure(denied, THROUGH_JUMP_HOST).kind).toBe('unreachable');
    expect(toTransportFailure(exit('core@127.0.0.1: Permission denied (publickey).'), THROUGH_JUMP_HOST).kind).toBe(
      'auth_rejected',
    );
  });

  test('reports that ssh could not be started', () => {
    const notStarted = { exitCode: undefined, stderrTail: '' };
    expect(toTransportFailure({ ...notStarted, problem: 'ENOENT' }, DIRECT).detail).toMatch(/install openssh-client/);
    expect(toTransportFailure({ ...notStarted, problem: 'EAGAIN' }, DIRECT).detail).toMatch(
      /could not be started: EAGAIN/,
    );
  });
});
