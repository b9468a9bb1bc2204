import { TransportFailure } from '../../../domain/transport-failure.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import { keyRejectedFailure, NETWORK_ERRORS } from '../connect-errors.ts';
import type { SshExit } from './ssh-process.ts';

const NO_SSH_BANNER = /^kex_exchange_identification: |^banner exchange: |during banner exchange/;

/** Consequential errors, and warnings of a jump host. */
const IGNORED_LINES = /^stdio forwarding failed|UNKNOWN port 65535$|^Warning: /;

const KNOWN_ERRORS: readonly (readonly [pattern: RegExp, detail: string])[] = [
  [/Connection refused/, NETWORK_ERRORS.ECONNREFUSED],
  [/No route to host/, NETWORK_ERRORS.EHOSTUNREACH],
  [/Network is unreachable/, NETWORK_ERRORS.ENETUNREACH],
  [/timed out|^Timeout, server/, NETWORK_ERRORS.ETIMEDOUT],
  [
    NO_SSH_BANNER,
    'the connection was closed before the SSH banner: check that sshd uses this port and accepts more connections (MaxStartups)',
  ],
  [/Connection (?:to \S+ )?(?:closed|reset) by|Broken pipe/, NETWORK_ERRORS.ECONNRESET],
  [/^command-line: .*Bad configuration option/, 'this server needs OpenSSH 8.9 or later'],
  [/Bad configuration option|user config file|bad configuration options$/, 'the file openssh_config is invalid'],
];

const HOST_KEY_REJECTED = /^Host key verification failed\.|: no matching host key type found\./;
const TOO_MANY_KEYS = /^Received disconnect from .*Too many authentication failures/;
const PERMISSION_DENIED = ': Permission denied (';
const INVALID_USER_NAME = /^remote username contains invalid characters/;
const NO_COMMON_ALGORITHM = /: no matching ([a-z ]+) found\. Their offer: (.*)$/;

export interface ConnectionRoute {
  readonly user: string;
  readonly hasProxy: boolean;
}

/** Removes debug lines, source locations and the frames of warnings. */
const stderrLines = (stderr: string): string[] =>
  stderr
    .split(/[\r\n]+/)
    .map(line => line.replace(/^\w+\.c:\w+\(\):\d+ \(pid=\d+\): /, ''))
    .filter(line => line.trim() !== '' && !/^debug\d: |^@/.test(line));

/** Matches `user@host: Permission denied (`. Two steps, because one pattern is slow for a line with many `@`. */
const isAuthRejected = (line: string): boolean =>
  TOO_MANY_KEYS.test(line) ||
  (line.includes(PERMISSION_DENIED) && /@[^@\s]+$/.test(line.slice(0, line.indexOf(PERMISSION_DENIED))));

const unreachable = (detail: string) => new TransportFailure('unreachable', detail);

/** If the proxy failed, errors about keys refer to the jump host. */
const isProxyFailure = (lines: readonly string[], { hasProxy }: ConnectionRoute) =>
  hasProxy && lines.some(line => NO_SSH_BANNER.test(line));

export function isHostKeyRejection({ stderrTail }: SshExit, route: ConnectionRoute): boolean {
  const lines = stderrLines(stderrTail);
  return lines.some(line => HOST_KEY_REJECTED.test(line)) && !isProxyFailure(lines, route);
}

/** A lack of disk space, file descriptors or processes on this server. */
export const sshNotStarted = (problem: unknown): TransportFailure =>
  unreachable(`ssh could not be started: ${sanitizeLine(String(problem))}`);

function proxyFailure(lines: readonly string[]): TransportFailure {
  const messages = lines.filter(line => !NO_SSH_BANNER.test(line) && !IGNORED_LINES.test(line));
  const last = messages.at(-1);
  return unreachable(
    last === undefined
      ? 'the jump host or proxy command closed the connection before the SSH banner of the host'
      : `the jump host or proxy command could not connect to the host: ${sanitizeLine(last)}`,
  );
}

/** Standard error can contain text from the host. */
export function toTransportFailure({ problem, stderrTail }: SshExit, route: ConnectionRoute): TransportFailure {
  if (problem === 'ENOENT')
    return unreachable(
      'ssh is not installed on this server: install openssh-client (openssh-clients on Fedora and RHEL)',
    );
  if (problem !== undefined) return sshNotStarted(problem);
  const lines = stderrLines(stderrTail);
  if (isProxyFailure(lines, route)) return proxyFailure(lines);
  if (lines.some(isAuthRejected)) return keyRejectedFailure(route.user);
  if (lines.some(line => INVALID_USER_NAME.test(line)))
    return new TransportFailure('auth_rejected', `ssh does not accept the user name ${sanitizeLine(route.user)}`);
  const [, algorithmKind, offer = ''] = lines.map(line => NO_COMMON_ALGORITHM.exec(line)).find(Boolean) ?? [];
  if (algorithmKind)
    return unreachable(
      `the host supports no ${algorithmKind} that ssh on this server uses; it offers ${sanitizeLine(offer)}`,
    );
  for (const [pattern, detail] of KNOWN_ERRORS) {
    const line = lines.find(text => pattern.test(text));
    if (line !== undefined) return unreachable(`${detail} (${sanitizeLine(line)})`);
  }
  const last = lines.at(-1);
  return unreachable(last ? `the connection failed: ${sanitizeLine(last)}` : NETWORK_ERRORS.ECONNRESET);
}
