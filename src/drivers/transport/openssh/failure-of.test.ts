import { describe, expect, test } from 'vitest';
import { failureOf, isAboutHostKey } from './failure-of.ts';

const DIRECT = { user: 'core', hasProxy: false };
const JUMPING = { user: 'core', hasProxy: true };
const end = (...lines: string[]) => ({ exitCode: 255, said: lines.map(line => `${line}\r\n`).join('') });
const NO_WORD = 'kex_exchange_identification: Connection closed by remote host';
const VFATAL = 'packet.c:sshpkt_vfatal():1901 (pid=42): ';

describe('what ssh says', () => {
  test.each([
    ['ssh: connect to host ::1 port 22: Connection refused', /^connection refused.*port 22/],
    ['ssh: connect to host 127.0.0.1 port 22: No route to host', /^no route to the host/],
    [
      'ssh: connect to host 127.0.0.1 port 22: Network is unreachable',
      /^the network of the host is unreachable/,
    ],
    ['ssh: connect to host 127.0.0.1 port 22: Connection timed out', /^the host does not respond/],
    ['Timeout, server 127.0.0.1 not responding.', /^the host does not respond/],
    [NO_WORD, /^the connection was closed before the SSH banner/],
    [`${VFATAL}Connection reset by 127.0.0.1 port 22`, /^the host closed the connection/],
    [
      `${VFATAL}Unable to negotiate with 127.0.0.1 port 22: no matching key exchange method found. Their offer: odd`,
      /^the host supports no key exchange method that ssh on this server uses; it offers odd$/,
    ],
    ['Bad packet length 1349676916.', /^the connection failed: Bad packet length/],
    ['debug1: clientloop.c:client_loop():1290 (pid=9): Entering interactive session.', /^the host closed/],
  ])('about the way there makes the host unreachable: %s', (line, detail) => {
    const failure = failureOf(end(line), DIRECT);
    expect([failure.kind, failure.detail]).toEqual(['unreachable', expect.stringMatching(detail)]);
  });

  test('about the key of the user makes it rejected, without a word of the host', () => {
    const failure = failureOf(end('core@127.0.0.1: Permission denied (publickey).'), DIRECT);
    expect(failure).toMatchObject({
      kind: 'auth_rejected',
      detail: 'the host rejected the user core with this key',
    });
  });

  test('is made harmless', () => {
    const said = 'Received disconnect from 127.0.0.1 port 22:2: \u001b[31mred';
    expect(failureOf(end(said), DIRECT).detail).toBe(`the connection failed: ${said.replace('\u001b', '')}`);
  });

  test('of a host that is reached directly is about that host', () => {
    expect(isAboutHostKey(end('Host key verification failed.'), DIRECT)).toBe(true);
    const typeMissing = `${VFATAL}Unable to negotiate with x: no matching host key type found. Their offer: y`;
    expect(isAboutHostKey(end(typeMissing), DIRECT)).toBe(true);
    expect(isAboutHostKey(end(NO_WORD), DIRECT)).toBe(false);
  });

  test('of a jump host is not taken for the word of the host behind it', () => {
    const lost = end('Host key verification failed.', NO_WORD);
    expect(isAboutHostKey(lost, JUMPING)).toBe(false);
    expect(failureOf(lost, JUMPING).detail).toMatch(/^the jump host .*: Host key verification failed\.$/);
    const denied = end('core@jump: Permission denied (publickey).', NO_WORD);
    expect(failureOf(denied, JUMPING).kind).toBe('unreachable');
    expect(failureOf(end('core@127.0.0.1: Permission denied (publickey).'), JUMPING).kind).toBe(
      'auth_rejected',
    );
  });

  test('nothing is said by one that was not started', () => {
    const notStarted = { exitCode: undefined, said: '' };
    expect(failureOf({ ...notStarted, problem: 'ENOENT' }, DIRECT).detail).toMatch(/install openssh-client/);
    expect(failureOf({ ...notStarted, problem: 'EAGAIN' }, DIRECT).detail).toMatch(
      /could not be started: EAGAIN/,
    );
  });
});
